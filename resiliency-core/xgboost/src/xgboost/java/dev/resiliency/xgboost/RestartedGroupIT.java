package dev.resiliency.xgboost;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Groups of real processes, before and after a restart. */
class RestartedGroupIT {
    @TempDir
    private Path directory;

    private ProcessJob start(String... options) throws Exception {
        return BoostingJob.of(3, directory).javaOptions(options).start();
    }

    /** Starts ranks one of which is to hang. The limits are short: where none hangs, a busy host would exceed them. */
    private ProcessJob startOneThatHangs(String... options) throws Exception {
        return BoostingJob.of(3, directory)
                .javaOptions("-DsoftMillis=2000", "-DhardMillis=3000")
                .javaOptions(options)
                .start();
    }

    /** Asserts that the ranks that are left have gone on, in a smaller world or in the same one. */
    private static void assertGoOn(List<RankProcess> ranks, int worldSize) throws InterruptedException {
        assertThat(BoostingJob.awaitResult(ranks)).startsWith(worldSize + " 20 ");
        for (RankProcess rank : ranks) {
            assertThat(rank.lines()).as(rank::log).contains("WORLD " + worldSize + " in iteration 1");
        }
    }

    /** Asserts that no rank is blamed that only lost its connection to the one that failed. */
    private static void assertOnlyRankOneIsBlamed(List<RankProcess> ranks) {
        for (RankProcess rank : ranks) {
            assertThat(rank.lines())
                    .filteredOn(line -> line.startsWith("CAUSE"))
                    .isNotEmpty()
                    .allMatch(line -> line.endsWith(" on 1"));
        }
    }

    @Test
    void afterAKillTheSurvivorsGoOnWithTheModelInTheirMemory() throws Exception {
        try (ProcessJob job = start("-Dfaults=kill:1@10")) {
            assertGoOn(job.others(1), 2);
            assertOnlyRankOneIsBlamed(job.others(1));
            for (RankProcess rank : job.others(1)) {
                assertThat(rank.lines())
                        .as(rank::log)
                        .contains("RECOVERED 9 in iteration 1")
                        .anyMatch(line -> line.startsWith("CAUSE TERMINATED"));
            }
        }
    }

    @Tag("full")
    @Test
    void whoWaitsForASuspendedRankIsFreed() throws Exception {
        try (ProcessJob job = startOneThatHangs("-Dfaults=sigstop:1@10")) {
            assertGoOn(job.others(1), 2);
        }
    }

    @Tag("full")
    @Test
    void whoWaitsForARankThatHangsInItsLoaderIsFreed() throws Exception {
        try (ProcessJob job = startOneThatHangs("-Dfaults=sleep-forever:1@10")) {
            assertGoOn(job.ranks(), 3);
        }
    }

    @Tag("full")
    @ParameterizedTest
    @CsvSource({
        "meeting, exception", "meeting, kill", "meeting, sigstop",
        "connecting, exception", "connecting, kill", "connecting, sigstop"
    })
    void rankIsLostWhileTheOthersWaitForItToConnect(String where, String fault) throws Exception {
        String[] options = {"-DfaultIn=" + where, "-Dfaults=" + fault + ":1@1"};
        try (ProcessJob job = fault.equals("sigstop") ? startOneThatHangs(options) : start(options)) {
            boolean isLost = !fault.equals("exception");
            assertGoOn(isLost ? job.others(1) : job.ranks(), isLost ? 2 : 3);
            for (RankProcess rank : job.others(1)) {
                assertThat(rank.lines()).as(rank::log).doesNotContain("WORLD 3 in iteration 0");
            }
        }
    }

    @Tag("full")
    @Test
    void withoutJnaTheSurvivorsOfAKillGoOn() throws Exception {
        try (ProcessJob job = BoostingJob.of(3, directory)
                .classPath(BoostingJob.classPathWithoutJna())
                .javaOptions("-Dfaults=kill:1@10")
                .start()) {
            assertGoOn(job.others(1), 2);
            assertThat(job.rank(0).log()).contains("without JNA, an operation of a process group that waits");
        }
    }

    @Tag("full")
    @Test
    void worldOfOneRankIsAGroup() throws Exception {
        try (ProcessJob job =
                BoostingJob.of(1, directory).javaOptions("-Dfaults=exception:0@10").start()) {
            assertGoOn(job.ranks(), 1);
        }
    }

    @Tag("full")
    @Test
    void fiftyRestartsLeaveNothingBehind() throws Exception {
        try (ProcessJob job = BoostingJob.of(3, directory)
                .javaOptions("-Xmx48m", "-Diterations=50", "-Dthrowing=1", "-Drounds=130")
                .start()) {
            assertThat(BoostingJob.awaitResult(job.ranks())).startsWith("3 130 ");
            for (RankProcess rank : job.ranks()) {
                Resources early = Resources.of(rank, 10);
                Resources late = Resources.of(rank, 50);
                assertThat(late.descriptors()).as("descriptors, first %s", early).isLessThanOrEqualTo(early.descriptors() + 3);
                assertThat(late.threads()).as("threads, first %s", early).isLessThanOrEqualTo(early.threads() + 3);
                assertThat(late.megabytes()).as("MB resident, first %s", early).isLessThanOrEqualTo(early.megabytes() + 30);
                assertThat(unpackedLibraries(rank.rank())).isEmpty();
            }
        }
    }

    private List<Path> unpackedLibraries(int rank) throws IOException {
        try (Stream<Path> files = Files.list(directory.resolve("tmp-" + rank))) {
            return files.filter(file -> file.getFileName().toString().contains("xgboost"))
                    .toList();
        }
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void rankThatIsKilledLeavesNoUnpackedLibraryBehind(int killed) throws Exception {
        try (ProcessJob job = start("-Dfaults=kill:" + killed + "@10")) {
            job.rank(killed).awaitExit();
            assertThat(unpackedLibraries(killed)).isEmpty();
        }
    }

    /** What a rank had open when an iteration had done its first round. */
    private record Resources(int descriptors, int threads, long megabytes) {
        static Resources of(RankProcess rank, int iteration) {
            String line = rank.lines().stream()
                    .filter(each -> each.startsWith("RESOURCES " + iteration + " "))
                    .findFirst()
                    .orElseThrow();
            String[] fields = line.split(" ", -1);
            return new Resources(
                    Integer.parseInt(fields[3]), Integer.parseInt(fields[5]), (Long.parseLong(fields[7]) << 12) >> 20);
        }
    }
}
