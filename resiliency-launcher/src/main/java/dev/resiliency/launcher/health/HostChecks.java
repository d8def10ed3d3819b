package dev.resiliency.launcher.health;

import dev.resiliency.launcher.HealthSettings;
import dev.resiliency.launcher.process.RunDirectory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Collects the checks of a host. Not safe for use by several threads. */
public final class HostChecks {
    private static final long UNPACKED_LIBRARIES = 1024;
    private static final long SHARED_MEMORY = 512;

    private final String path;
    private final List<HostCheck> checks = new ArrayList<>();

    /**
     * Begins with the checks that every host needs.
     *
     * @param path the value of {@code PATH}
     */
    public HostChecks(String path) {
        this.path = path;
        checks.add(new SystemCheck(path, RunDirectory.byDefault()));
        checks.add(new OrphanCheck(Path.of("/proc/1/comm")));
        checks.add(new DescriptorCheck(Path.of("/proc/self/limits")));
        checks.add(new SpaceCheck(
                Path.of(System.getProperty("java.io.tmpdir")),
                UNPACKED_LIBRARIES,
                "native libraries and checkpoints go there unless you name another directory"
                        + " (-Djava.io.tmpdir=DIRECTORY)"));
        checks.add(new SpaceCheck(
                Path.of("/dev/shm"), SHARED_MEMORY, "NCCL shares memory there; start a container with --shm-size=1g"));
        checks.add(new HostNameCheck());
        checks.add(new SecretCheck());
        checks.add(new GpuCheck(Path.of("/proc/driver/nvidia"), Path.of("/dev")));
    }

    /** Adds that the store at this endpoint can be reached, or hosted here. */
    public HostChecks store(String host, int port) {
        checks.add(new StoreCheck(host, port));
        return this;
    }

    /** Adds that this many ranks can be bound to NUMA nodes. */
    public HostChecks numa(int gpusPerNode, int ranks) {
        checks.add(new NumaCheck(gpusPerNode, ranks, path));
        return this;
    }

    /**
     * Adds the checks that the settings of a node ask for.
     *
     * @param host of the store; null if none is known
     */
    public HostChecks node(HealthSettings settings, @Nullable String host, int port) {
        checks.addAll(host == null ? NodeChecks.of(settings) : NodeChecks.of(settings, host, port));
        return this;
    }

    /** Adds that this program can be executed. */
    public HostChecks command(String program) {
        checks.add(new CommandCheck(program, path));
        return this;
    }

    /** Runs each of them once, one after the other. */
    public List<Finding> run() throws InterruptedException {
        List<Finding> findings = new ArrayList<>();
        for (HostCheck check : checks) {
            try (check) {
                findings.add(check.run());
            }
        }
        return findings;
    }
}
