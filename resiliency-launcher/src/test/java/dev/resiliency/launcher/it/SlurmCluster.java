package dev.resiliency.launcher.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.resiliency.testing.Patience;
import dev.resiliency.testing.ProcessJob;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A Slurm of its own, of two nodes on this host, with ports and directories of its own. Needs Slurm, munge, and root. */
final class SlurmCluster implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int KEY_BYTES = 1024;

    private final Path directory;
    private final Path configuration;
    private final List<Process> daemons = new ArrayList<>();

    /** Returns whether this host can have one. */
    static boolean isPossible() {
        return Stream.of("slurmctld", "slurmd", "munged").allMatch(SlurmCluster::isInstalled)
                && "root".equals(System.getProperty("user.name"));
    }

    private static boolean isInstalled(String daemon) {
        return Files.isExecutable(Path.of("/usr/sbin", daemon));
    }

    /** Starts it; returns when both nodes are idle. */
    SlurmCluster(Path directory) throws IOException, InterruptedException {
        this.directory = directory;
        configuration = directory.resolve("slurm.conf");
        try {
            startMunge();
            configure();
            start("slurmctld", "/usr/sbin/slurmctld", "-D", "-f", configuration.toString());
            for (int node = 0; node < 2; node++) {
                start("slurmd" + node, "/usr/sbin/slurmd", "-D", "-N", "node" + node, "-f", configuration.toString());
            }
            await().atMost(Patience.stretch(LIMIT))
                    .untilAsserted(() -> assertThat(output("sinfo", "-h", "-o", "%D %T"))
                            .as(() -> logs())
                            .isEqualTo("2 idle\n"));
        } catch (IOException | InterruptedException | RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private void startMunge() throws IOException {
        Path munge = Files.createDirectory(
                directory.resolve("munge"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        byte[] key = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(key);
        Files.write(munge.resolve("key"), key);
        Files.setPosixFilePermissions(munge.resolve("key"), PosixFilePermissions.fromString("r--------"));
        start(
                "munged",
                "/usr/sbin/munged",
                "--foreground",
                "--force",
                "--key-file=" + munge.resolve("key"),
                "--socket=" + munge.resolve("socket"),
                "--pid-file=" + munge.resolve("pid"),
                "--seed-file=" + munge.resolve("seed"));
        await().atMost(Patience.stretch(LIMIT)).until(() -> Files.exists(munge.resolve("socket")));
    }

    private void configure() throws IOException, InterruptedException {
        String host = InetAddress.getLocalHost().getHostName();
        Files.writeString(configuration, """
                ClusterName=test
                SlurmctldHost=%s(127.0.0.1)
                SlurmctldPort=%d
                SlurmUser=root
                SlurmdUser=root
                AuthType=auth/munge
                AuthInfo=socket=%s/munge/socket
                StateSaveLocation=%s/state
                SlurmdSpoolDir=%s/spool-%%n
                SlurmctldPidFile=%s/slurmctld.pid
                SlurmdPidFile=%s/slurmd-%%n.pid
                ProctrackType=proctrack/pgid
                TaskPlugin=task/none
                SlurmdParameters=config_overrides
                ReturnToService=2
                MpiDefault=none
                SelectType=select/cons_tres
                NodeName=node0 NodeHostname=%s NodeAddr=127.0.0.1 Port=%d CPUs=4 State=UNKNOWN
                NodeName=node1 NodeHostname=%s NodeAddr=127.0.0.2 Port=%d CPUs=4 State=UNKNOWN
                PartitionName=debug Nodes=node[0-1] Default=YES MaxTime=INFINITE State=UP
                """.formatted(
                        host,
                        ProcessJob.freePort(),
                        directory,
                        directory,
                        directory,
                        directory,
                        directory,
                        host,
                        ProcessJob.freePort(),
                        host,
                        ProcessJob.freePort()));
        Files.createDirectory(directory.resolve("state"));
    }

    private void start(String name, String... command) throws IOException {
        daemons.add(new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve(name + ".log").toFile())
                .start());
    }

    /** Runs a command of Slurm; returns what it prints. */
    String output(String... command) throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("SLURM_CONF", configuration.toString());
        Path output = directory.resolve("output");
        Process process = builder.redirectOutput(output.toFile()).start();
        if (!process.waitFor(Patience.stretch(LIMIT).toSeconds(), TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
        return Files.readString(output);
    }

    /** Returns the file that Slurm's commands find by the variable {@code SLURM_CONF}. */
    Path configuration() {
        return configuration;
    }

    private String logs() {
        StringBuilder logs = new StringBuilder();
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".log")).toList()) {
                logs.append(file).append('\n').append(Files.readString(file)).append('\n');
            }
        } catch (IOException e) {
            logs.append(e);
        }
        return logs.toString();
    }

    /** Ends it: first the jobs, whose steps would outlive it, and then the daemon that was started last first. */
    @Override
    public void close() {
        if (Files.exists(configuration)) {
            endJobs();
        }
        List<Process> last = new ArrayList<>(daemons);
        Collections.reverse(last);
        for (Process daemon : last) {
            List<ProcessHandle> family = daemon.descendants().toList();
            daemon.destroy();
            if (!hasEnded(daemon)) {
                daemon.destroyForcibly();
            }
            family.forEach(ProcessHandle::destroyForcibly);
        }
    }

    private void endJobs() {
        try {
            output("scancel", "--full", "--signal=KILL", "--user=root");
            output("scancel", "--user=root");
            await().atMost(Patience.stretch(LIMIT))
                    .untilAsserted(() -> assertThat(output("squeue", "-h")).isEmpty());
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static boolean hasEnded(Process daemon) {
        try {
            return daemon.waitFor(Patience.stretch(LIMIT).toSeconds(), TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
