package dev.resiliency.testing.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.store.tcp.TcpStoreServer;
import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import dev.resiliency.testing.Signal;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs of real processes with a standalone store server: ours, or one that is used like PyTorch's. */
class ExternalStoreIT {
    private static final String LISTENS = "Store listens on 127.0.0.1:";

    @TempDir
    private Path directory;

    @Test
    void lossOfRankZeroIsAFaultLikeAnyOther() throws Exception {
        try (TcpStoreServer server = TcpStoreServer.builder().start();
                ProcessJob job = RankProgram.start(3, directory, "-Diterations=1", "-DstorePort=" + server.port())) {
            awaitAllEntered(job);

            job.rank(0).kill();

            assertEndsWell(job.rank(1), "ENTERED 0 of 2, iteration 1");
            assertEndsWell(job.rank(2), "ENTERED 1 of 2, iteration 1");
            assertThat(job.rank(1).log()).contains("TERMINATED on rank 0");
        }
    }

    @Tag("full")
    @Test
    void serverThatIsSuspendedForAWhileIsReconnected() throws Exception {
        Process server = startServer();
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(server.getInputStream(), UTF_8))) {
            String port = lines.readLine().substring(LISTENS.length());
            try (ProcessJob job = RankProgram.start(2, directory, "-Diterations=1", "-DstorePort=" + port)) {
                awaitAllEntered(job);

                Signal.send("STOP", List.of(server.pid()));
                job.rank(1).kill();
                assertThat(server.waitFor(2, TimeUnit.SECONDS)).isFalse();
                Signal.send("CONT", List.of(server.pid()));

                assertEndsWell(job.rank(0), "ENTERED 0 of 1, iteration 1");
            }
        } finally {
            server.destroyForcibly();
        }
    }

    @Test
    void onAPyTorchServerExceptionsAndDeathsAreSurvived() throws Exception {
        try (TcpStoreServer server = TcpStoreServer.builder().pytorch(true).start();
                ProcessJob job = RankProgram.start(
                        3,
                        directory,
                        "-Diterations=2",
                        "-Dmisbehaving=1",
                        "-Dmisbehave=THROW",
                        "-DpyTorchPort=" + server.port())) {
            for (RankProcess rank : job.ranks()) {
                rank.awaitLine("ENTERED %d of 3, iteration 1".formatted(rank.rank()));
            }

            job.rank(0).kill();

            assertEndsWell(job.rank(1), "ENTERED 0 of 2, iteration 2");
            assertEndsWell(job.rank(2), "ENTERED 1 of 2, iteration 2");
            assertThat(job.rank(2).log())
                    .contains("EXCEPTION on rank 1 (IllegalStateException: loss is NaN)")
                    .containsPattern("TERMINATED on rank 0 \\(process \\d+ died\\)");
        }
    }

    @Tag("full")
    @Test
    void onAPyTorchServerALostHostIsFoundByItsSiblingAndLeavesWhenItComesBack() throws Exception {
        Path pidFile = directory.resolve("monitor-{rank}.pid");
        try (TcpStoreServer server = TcpStoreServer.builder().pytorch(true).start();
                ProcessJob job = RankProgram.start(
                        3,
                        directory,
                        "-Diterations=1",
                        "-DleaseMillis=1500",
                        "-DpidFile=" + pidFile,
                        "-DpyTorchPort=" + server.port())) {
            awaitAllEntered(job);
            long monitor = Long.parseLong(
                    Files.readString(directory.resolve("monitor-1.pid")).trim());

            Signal.send("STOP", List.of(monitor));
            job.rank(1).signal("STOP");
            assertEndsWell(job.rank(0), "ENTERED 0 of 2, iteration 1");
            assertEndsWell(job.rank(2), "ENTERED 1 of 2, iteration 1");
            Signal.send("CONT", List.of(monitor));
            job.rank(1).signal("CONT");

            assertThat(job.rank(1).awaitExit()).isZero();
            assertThat(job.rank(1).lines())
                    .contains("LEFT []")
                    .anySatisfy(
                            line -> assertThat(line).startsWith("THROWN dev.resiliency.inprocess.RankFencedException"));
            assertThat(job.rank(0).log())
                    .contains("TERMINATED on rank 1 (rank 0 has seen no heartbeat of it for 1.5 s)");
        }
    }

    private Process startServer() throws Exception {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "dev.resiliency.store.tcp.internal.server.StoreServerMain",
                        "--port",
                        "0")
                .redirectError(directory.resolve("server.log").toFile())
                .start();
    }

    private static void awaitAllEntered(ProcessJob job) throws Exception {
        for (RankProcess rank : job.ranks()) {
            rank.awaitLine("ENTERED %d of %d, iteration 0"
                    .formatted(rank.rank(), job.ranks().size()));
        }
    }

    private static void assertEndsWell(RankProcess rank, String... said) throws Exception {
        assertThat(rank.awaitExit()).isZero();
        assertThat(rank.lines()).contains(said).contains("LEFT []");
    }
}
