package dev.resiliency.testing.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.store.tcp.TcpStoreServer;
import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import dev.resiliency.testing.Signal;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs of real processes with a standalone store server. */
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

    /** Secret and certificate are known to the program of the ranks alone: their monitor processes have them from it. */
    @Test
    void monitorProcessReportsThroughAStoreWithASecretAndACertificate() throws Exception {
        StoreCertificate certificate = StoreCertificate.create(directory);
        try (TcpStoreServer server = TcpStoreServer.builder()
                        .secret(RankProgram.SECRET)
                        .tls(certificate.server())
                        .start();
                ProcessJob job = RankProgram.start(
                        2,
                        directory,
                        "-Diterations=1",
                        "-DsoftMillis=1500",
                        "-DhardMillis=4000",
                        "-DstorePort=" + server.port(),
                        "-Dtrust=" + certificate.trust())) {
            awaitAllEntered(job);

            job.rank(1).signal("STOP"); // of a death the store may be the first to tell

            assertEndsWell(job.rank(0), "ENTERED 0 of 1, iteration 1");
            assertThat(job.rank(0).log()).contains("HARD_TIMEOUT on rank 1");
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
