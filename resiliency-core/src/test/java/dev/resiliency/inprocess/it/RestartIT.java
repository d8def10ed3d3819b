package dev.resiliency.inprocess.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Restarts of jobs of real processes, by real faults. */
class RestartIT {
    @TempDir
    Path directory;

    @Test
    void survivorsOfASigkillReenterWithNewRanksAndLeaveNothingBehind() throws Exception {
        try (ProcessJob job = new ProcessJob(4, directory, "-Diterations=1")) {
            for (RankProcess rank : job.ranks()) {
                rank.awaitLine("ENTERED %d of 4, iteration 0".formatted(rank.rank()));
            }

            job.rank(2).kill();

            assertEndsWell(job.rank(0), "ENTERED 0 of 3, iteration 1", "RESULT 0");
            assertEndsWell(job.rank(1), "ENTERED 1 of 3, iteration 1", "RESULT 1");
            assertEndsWell(job.rank(3), "ENTERED 2 of 3, iteration 1", "RESULT 2");
            for (RankProcess survivor : job.others(2)) {
                assertThat(logOf(survivor)).contains("TERMINATED on rank 2").contains("restarted in ");
            }
            // The monitor process of the dead rank has cleaned up after it.
            assertThat(directory.resolve("tmp-2")).isEmptyDirectory();
        }
    }

    @Test
    void exceptionOnOneRankRestartsAll() throws Exception {
        try (ProcessJob job = new ProcessJob(4, directory, "-Diterations=1", "-Dmisbehaving=1", "-Dmisbehave=THROW")) {
            for (RankProcess rank : job.ranks()) {
                assertEndsWell(rank, "ENTERED %d of 4, iteration 1".formatted(rank.rank()), "RESULT " + rank.rank());
                assertThat(logOf(rank)).contains("EXCEPTION on rank 1 (java.lang.IllegalStateException: loss is NaN)");
            }
        }
    }

    private void assertEndsWell(RankProcess rank, String... said) throws Exception {
        assertThat(rank.awaitExit()).isZero();
        assertThat(rank.lines()).contains(said).contains("LEFT []");
    }

    private String logOf(RankProcess rank) throws Exception {
        return Files.readString(directory.resolve("rank-" + rank.rank() + ".log"));
    }
}
