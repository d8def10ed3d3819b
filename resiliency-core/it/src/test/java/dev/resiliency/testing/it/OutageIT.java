package dev.resiliency.testing.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.store.tcp.TcpStoreServer;
import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import dev.resiliency.testing.Signal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs whose ranks lose the store for a while: only an outage that is longer than the lease costs a rank. */
class OutageIT {
    @TempDir
    private Path directory;

    /** The proportions of the defaults, with a shorter timeout. */
    @Tag("full")
    @Test
    void onlyTheOutageThatOutlastsTheLeaseCostsItsRank() throws Exception {
        assertOnlyTheLastIsLost(Duration.ofSeconds(3), 500, 1600, 2500, 5000);
    }

    @Tag("full")
    @Test
    void withTheDefaultsNoOutageOf25SecondsOrLessCostsARank() throws Exception {
        assertOnlyTheLastIsLost(Duration.ofSeconds(30), 1000, 5000, 10_000, 16_000, 20_000, 25_000, 25_000, 42_000);
    }

    /** Starts an outage of each length, one per rank, all within one interval of the heartbeats. */
    private void assertOnlyTheLastIsLost(Duration timeout, long... outageMillis) throws Exception {
        int lost = outageMillis.length - 1;
        long interval = timeout.toMillis() / 3;
        List<OutageProxy> networks = new ArrayList<>();
        try (TcpStoreServer server = TcpStoreServer.builder().start()) {
            for (int rank = 0; rank <= lost; rank++) {
                networks.add(new OutageProxy(server.port()));
            }
            String ports = networks.stream().map(network -> "" + network.port()).collect(Collectors.joining(","));
            try (ProcessJob job = RankProgram.start(
                    lost + 1,
                    directory,
                    "-Diterations=1",
                    "-DleaseMillis=" + timeout.toMillis(),
                    "-DheartbeatMillis=" + interval,
                    "-DstorePort=" + ports)) {
                awaitAllEntered(job);
                for (int rank = 0; rank <= lost; rank++) {
                    networks.get(rank).fail(Duration.ofMillis(outageMillis[rank]));
                    Thread.sleep(interval / (lost + 1)); // so that they begin at different phases of the heartbeats
                }

                for (int rank = 0; rank < lost; rank++) {
                    assertThat(job.rank(rank).awaitExit()).isZero();
                    assertThat(job.rank(rank).lines())
                            .as("rank %d, away for %d ms", rank, outageMillis[rank])
                            .contains("ENTERED %d of %d, iteration 1".formatted(rank, lost), "LEFT []");
                    assertThat(job.rank(rank).log()).contains("TERMINATED on rank " + lost);
                }
                assertThat(job.rank(lost).awaitExit()).isZero();
                assertThat(job.rank(lost).lines())
                        .anySatisfy(
                                line -> assertThat(line).startsWith("THROWN").contains("lease was not renewed"));
            }
        } finally {
            for (OutageProxy network : networks) {
                network.close();
            }
        }
    }

    @Test
    void monitorProcessThatStandsStillForLongerThanTheLeaseLosesNoHealthyRank() throws Exception {
        Duration lease = Duration.ofSeconds(2);
        Path pidFile = directory.resolve("monitor-{rank}.pid");
        try (TcpStoreServer server = TcpStoreServer.builder().start();
                ProcessJob job = RankProgram.start(
                        2,
                        directory,
                        "-Diterations=1",
                        "-DleaseMillis=" + lease.toMillis(),
                        "-DpidFile=" + pidFile,
                        "-DstorePort=" + server.port())) {
            awaitAllEntered(job);
            long monitor = Long.parseLong(
                    Files.readString(directory.resolve("monitor-1.pid")).trim());

            Signal.send("STOP", List.of(monitor));
            Thread.sleep(2 * lease.toMillis());
            Signal.send("CONT", List.of(monitor));
            assertThat(job.rank(0).lines()).noneMatch(line -> line.startsWith("STOPPED"));
            assertThat(job.rank(1).lines()).noneMatch(line -> line.startsWith("STOPPED"));
            job.rank(0).kill();

            assertThat(job.rank(1).awaitExit()).isZero();
            assertThat(job.rank(1).lines()).contains("ENTERED 0 of 1, iteration 1", "LEFT []");
        }
    }

    private static void awaitAllEntered(ProcessJob job) throws Exception {
        for (RankProcess rank : job.ranks()) {
            rank.awaitLine("ENTERED %d of %d, iteration 0"
                    .formatted(rank.rank(), job.ranks().size()));
        }
    }
}
