package dev.resiliency.launcher.health;

import dev.resiliency.launcher.HealthSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Collects the checks that the settings of a node ask for. */
public final class NodeChecks {
    private NodeChecks() {}

    /**
     * Returns the checks of a node.
     *
     * @param host of the store
     */
    public static List<HostCheck> of(HealthSettings settings, String host, int port) {
        List<HostCheck> checks = new ArrayList<>(of(settings));
        if (!settings.maxClockSkew().isZero()) {
            checks.add(new ClockCheck(host, port, settings.maxClockSkew(), settings.timeout()));
        }
        return checks;
    }

    /** Returns those that need no store. */
    static List<HostCheck> of(HealthSettings settings) {
        List<HostCheck> checks = new ArrayList<>();
        if (settings.serviceSocket() != null) {
            checks.add(new ServiceCheck(settings.serviceSocket(), settings.timeout()));
        }
        if (!settings.program().isEmpty()) {
            checks.add(new ProgramCheck(settings.program(), settings.timeout()));
        }
        if (settings.gpuClassPath() != null) {
            checks.add(HardwareCheck.of(settings.gpuClassPath(), settings.timeout()));
        }
        if (settings.distributedStorage()) {
            checks.add(new DistributedStorageCheck(
                    Path.of("/sys/fs/lustre/health_check"), Path.of("/proc/self/mounts"), settings.timeout()));
        }
        settings.storagePaths().forEach(path -> checks.add(StorageCheck.ofPath(path, settings.timeout())));
        if (settings.minFreeDiskMebibytes() > 0) {
            checks.add(new DiskCheck(
                    Path.of(System.getProperty("java.io.tmpdir")),
                    settings.minFreeDiskMebibytes(),
                    settings.timeout()));
        }
        if (settings.minFreeMemoryMebibytes() > 0) {
            checks.add(new MemoryCheck(Path.of("/proc/meminfo"), settings.minFreeMemoryMebibytes()));
        }
        return checks;
    }
}
