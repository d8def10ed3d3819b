package dev.resiliency.testing.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.store.tcp.TcpStoreServer;
import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rank assignment after faults in jobs of real processes. */
class RankAssignmentIT {
    @TempDir
    Path directory;

    @Test
    void spareTakesThePlaceOfAKilledRank() throws Exception {
        try (ProcessJob job =
                RankProgram.start(6, directory, "-Diterations=1", "-Dassignment=RESERVES", "-Dresiliency.log=DEBUG")) {
            awaitActive(job, 4);

            job.rank(1).kill();

            for (int rank : List.of(0, 2, 3)) {
                assertEnds(job.rank(rank), "ENTERED %d of 4, iteration 1".formatted(rank), "RESULT " + rank);
                assertThat(job.rank(rank).log()).doesNotContain(" -> active rank " + rank);
            }
            assertEnds(job.rank(5), "ENTERED 1 of 4, iteration 1", "RESULT 1");
            assertThat(job.rank(5).log()).contains("reserve -> active rank 1: steps in for rank 1");
            assertEnds(job.rank(4), "RESULT null");
            assertThat(job.rank(4).lines()).noneMatch(line -> line.startsWith("ENTERED"));
            assertThat(job.rank(0).log())
                    .contains("  rank 4: initial rank 5, active rank 1")
                    .contains("  initial rank 5: reserve -> active rank 1: steps in for rank 1");
        }
    }

    @Tag("full")
    @Test
    void hostIsDroppedWithItsFirstRank() throws Exception {
        try (ProcessJob job = RankProgram.start(6, directory, "-Diterations=1", "-Dassignment=HOSTS_OF_TWO")) {
            awaitActive(job, 6);

            job.rank(2).kill();

            assertEnds(
                    job.rank(3),
                    "THROWN dev.resiliency.inprocess.RankDiscardedException: rank 3 is left out by the rank"
                            + " assignment from iteration 1 on: group 1 has a count of 1, which the condition of"
                            + " filterCountGroupedByKey rejects");
            assertEnds(job.rank(0), "ENTERED 0 of 4, iteration 1", "RESULT 0");
            assertEnds(job.rank(1), "ENTERED 1 of 4, iteration 1", "RESULT 1");
            assertEnds(job.rank(4), "ENTERED 2 of 4, iteration 1", "RESULT 2");
            assertEnds(job.rank(5), "ENTERED 3 of 4, iteration 1", "RESULT 3");
        }
    }

    @Tag("full")
    @Test
    void rankThatADivisorLeavesIdleComesBackWhenAnotherDies() throws Exception {
        try (ProcessJob job = RankProgram.start(5, directory, "-Diterations=1", "-Dassignment=EVEN")) {
            awaitActive(job, 4);

            job.rank(2).kill();

            assertEnds(job.rank(0), "ENTERED 0 of 4, iteration 1", "RESULT 0");
            assertEnds(job.rank(1), "ENTERED 1 of 4, iteration 1", "RESULT 1");
            assertEnds(job.rank(3), "ENTERED 2 of 4, iteration 1", "RESULT 2");
            assertEnds(job.rank(4), "ENTERED 3 of 4, iteration 1", "RESULT 3");
            assertThat(job.rank(4).lines()).noneMatch(line -> line.endsWith("iteration 0"));
        }
    }

    @Test
    void nextLeaderDecidesWhenTheFirstOneDiesOfIt() throws Exception {
        try (TcpStoreServer store =
                        TcpStoreServer.builder().host("127.0.0.1").port(0).start();
                ProcessJob job = RankProgram.start(
                        4,
                        directory,
                        "-Diterations=1",
                        "-DstorePort=" + store.port(),
                        "-Dassignment=DEADLY_FOR_RANK_ZERO",
                        "-Dmisbehaving=2",
                        "-Dmisbehave=THROW")) {
            assertThat(job.rank(0).awaitExit()).isEqualTo(9);
            assertEnds(job.rank(1), "ENTERED 0 of 3, iteration 1", "RESULT 0");
            assertEnds(job.rank(2), "ENTERED 1 of 3, iteration 1", "RESULT 1");
            assertEnds(job.rank(3), "ENTERED 2 of 3, iteration 1", "RESULT 2");
        }
    }

    /** Waits until the first ranks run their function for the first time; the others are reserves. */
    private static void awaitActive(ProcessJob job, int activeWorldSize) throws InterruptedException {
        for (RankProcess rank : job.ranks().subList(0, activeWorldSize)) {
            rank.awaitLine("ENTERED %d of %d, iteration 0".formatted(rank.rank(), activeWorldSize));
        }
    }

    private static void assertEnds(RankProcess rank, String... said) throws Exception {
        assertThat(rank.awaitExit()).isZero();
        assertThat(rank.lines()).contains(said);
    }
}
