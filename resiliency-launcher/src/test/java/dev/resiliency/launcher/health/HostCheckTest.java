package dev.resiliency.launcher.health;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.launcher.health.Finding.Severity;
import dev.resiliency.store.tcp.TcpStoreServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HostCheckTest {
    @TempDir
    private Path directory;

    private static void assertFinding(Finding finding, Severity severity, String... texts) {
        assertThat(finding.text()).contains(texts);
        assertThat(finding.severity()).as(finding.text()).isEqualTo(severity);
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(directory.resolve(name), text);
    }

    @Test
    void fewDescriptorsAreAWarning() throws IOException {
        String limits = """
                Limit                     Soft Limit           Hard Limit           Units
                Max open files            %s                 20000                files
                """;

        assertFinding(
                new DescriptorCheck(write("few", limits.formatted("1024"))).run(),
                Severity.WARNING,
                "only 1024 per process",
                "ulimit -n 4096");
        assertFinding(new DescriptorCheck(write("many", limits.formatted("4096"))).run(), Severity.OK, "4096");
        assertFinding(new DescriptorCheck(write("all", limits.formatted("unlimited"))).run(), Severity.OK, "unlimited");
        assertFinding(new DescriptorCheck(directory.resolve("none")).run(), Severity.WARNING, "cannot be read");
    }

    @Test
    void javaAsTheFirstProcessOfAContainerIsAWarning() throws IOException {
        assertFinding(new OrphanCheck(write("java", "java\n")).run(), Severity.WARNING, "zombies", "docker run --init");
        assertFinding(new OrphanCheck(write("init", "tini\n")).run(), Severity.OK, "is tini");
        assertFinding(new OrphanCheck(directory.resolve("none")).run(), Severity.WARNING, "cannot be read");
    }

    @Test
    void spaceIsComparedWithWhatIsNeeded() {
        assertFinding(new SpaceCheck(directory, 0, "unused").run(), Severity.OK, "MiB are free");
        assertFinding(
                new SpaceCheck(directory, Long.MAX_VALUE, "NCCL needs it").run(), Severity.WARNING, "NCCL needs it");
        assertFinding(
                new SpaceCheck(directory.resolve("none"), 0, "NCCL needs it").run(),
                Severity.FAILURE,
                "cannot write to it: NCCL needs it");
    }

    @Test
    void driverWithoutDevicesIsAWarning() throws IOException {
        Path driver = Files.createDirectory(directory.resolve("driver"));
        Path devices = Files.createDirectory(directory.resolve("dev"));
        GpuCheck check = new GpuCheck(driver, devices);
        assertFinding(check.run(), Severity.OK, "there is no NVIDIA driver");

        Files.createFile(driver.resolve("version"));
        assertFinding(check.run(), Severity.WARNING, "--gpus all");

        Files.createFile(devices.resolve("nvidia0"));
        Files.createFile(devices.resolve("nvidiactl"));
        assertFinding(check.run(), Severity.OK, "1 with NVIDIA's driver");
    }

    @Test
    void commandMustExist() {
        String path = System.getenv("PATH");
        assertFinding(new CommandCheck("sh", path).run(), Severity.OK, "sh can be executed");
        assertFinding(new CommandCheck("no-such-program", path).run(), Severity.FAILURE, "no-such-program");
    }

    @Test
    void storeThatAnswersIsFine() throws Exception {
        try (TcpStoreServer server =
                TcpStoreServer.builder().port(0).secret(null).tls(null).start()) {
            assertFinding(new StoreCheck("127.0.0.1", server.port()).run(), Severity.OK, "answers within");
        }
    }

    @Test
    void storeCanBeHostedOnAFreePort() throws Exception {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = socket.getLocalPort();
        }

        assertFinding(new StoreCheck("127.0.0.1", port).run(), Severity.OK, "it can be hosted here");
    }

    @Test
    void strangerOnThePortIsAFailure() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            assertFinding(
                    new StoreCheck("127.0.0.1", socket.getLocalPort()).run(),
                    Severity.FAILURE,
                    "127.0.0.1:" + socket.getLocalPort());
        }
    }

    @Test
    void unknownHostIsAFailure() throws Exception {
        assertFinding(new StoreCheck("no-such-host.invalid", 1).run(), Severity.FAILURE, "no-such-host.invalid");
    }

    @Test
    void numaNodesThatDoNotExistAreAFailure() throws Exception {
        assertFinding(
                new NumaCheck(1, 1, directory.toString()).run(),
                Severity.FAILURE,
                "there is no numactl",
                "apt-get install");
        assertFinding(new NumaCheck(0, 1, "").run(), Severity.FAILURE, "must be at least 1");
    }
}
