package dev.resiliency.pytorch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.store.tcp.TcpStoreServer;
import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Groups of real processes, before and after a restart. Ranks wait for each other in Java, or inside backward(). */
class RestartedGroupIT {
    /** The default of {@code ProcessGroups}. */
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    @TempDir
    private Path directory;

    private ProcessJob start(String... options) throws Exception {
        return TrainingJob.of(3, directory)
                .javaOptions("-Diterations=1")
                .javaOptions(options)
                .start();
    }

    /** Starts ranks one of which is to hang. The limits are short: where none hangs, a busy host would exceed them. */
    private ProcessJob startOneThatHangs(String... options) throws Exception {
        return TrainingJob.of(3, directory)
                .javaOptions("-Diterations=1", "-DsoftMillis=2000", "-DhardMillis=3000")
                .javaOptions(options)
                .start();
    }

    private static void assertEndWith(int worldSize, List<RankProcess> ranks) throws InterruptedException {
        for (RankProcess rank : ranks) {
            assertThat(rank.awaitExit()).as(rank::log).isZero();
            assertThat(rank.lines())
                    .as(rank::log)
                    .contains("WORLD 3 in iteration 0", "WORLD " + worldSize + " in iteration 1", "RESULT " + worldSize);
        }
    }

    /** Asserts that no rank is blamed that only lost its connection to the one that failed. */
    private static void assertOnlyRankOneIsBlamed(List<RankProcess> ranks) {
        for (RankProcess rank : ranks) {
            assertThat(rank.lines()).filteredOn(line -> line.startsWith("CAUSE")).isNotEmpty().allMatch(line -> line.endsWith(" on 1"));
        }
    }

    /** Asserts that nobody sat out the timeout of the group. */
    private static void assertStepSoonAfterTheFault(ProcessJob job) {
        long fault = job.ranks().stream()
                .mapToLong(rank -> TrainingJob.nanos(rank, "FAULT 0"))
                .max()
                .orElseThrow();
        for (RankProcess rank : job.ranks()) {
            long step = TrainingJob.nanos(rank, "STEP 1");
            if (step != TrainingJob.NEVER) {
                assertThat(Duration.ofNanos(step - fault)).isLessThan(TIMEOUT);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void afterAnExceptionAllMeetAgain(boolean reducer) throws Exception {
        try (ProcessJob job = start("-Dreducer=" + reducer, "-Dfaults=exception:1@10")) {
            assertEndWith(3, job.ranks());
            assertStepSoonAfterTheFault(job);
            assertOnlyRankOneIsBlamed(job.ranks());
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void afterAKillTheSurvivorsMeetAgain(boolean reducer) throws Exception {
        try (ProcessJob job = start("-Dreducer=" + reducer, "-Dfaults=kill:1@10")) {
            assertEndWith(2, job.others(1));
            assertStepSoonAfterTheFault(job);
            assertOnlyRankOneIsBlamed(job.others(1));
        }
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoWaitsForAStoppedRankIsFreed(boolean reducer) throws Exception {
        try (ProcessJob job = startOneThatHangs("-Dreducer=" + reducer, "-Dfaults=sigstop:1@10")) {
            assertEndWith(2, job.others(1));
            assertStepSoonAfterTheFault(job);
        }
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whoWaitsForARankThatHangsInItsLoaderIsFreed(boolean reducer) throws Exception {
        try (ProcessJob job = startOneThatHangs("-Dreducer=" + reducer, "-Dfaults=sleep-forever:1@10")) {
            assertEndWith(3, job.ranks());
            assertStepSoonAfterTheFault(job);
        }
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(strings = {"exception", "kill", "sigstop"})
    void rankIsLostWhileTheOthersWaitForItToCreateTheGroup(String fault) throws Exception {
        String[] options = {"-DrendezvousFault=true", "-Dfaults=" + fault + ":1@1"};
        try (ProcessJob job = fault.equals("sigstop") ? startOneThatHangs(options) : start(options)) {
            for (RankProcess rank : job.others(1)) {
                assertThat(rank.awaitExit()).as(rank::log).isZero();
                assertThat(rank.lines()).as(rank::log).doesNotContain("WORLD 3 in iteration 0").contains("RESULT " + (fault.equals("exception") ? 3 : 2));
            }
            assertStepSoonAfterTheFault(job);
        }
    }

    @Tag("full")
    @Test
    void withoutJnaTheSurvivorsOfAKillMeetAgain() throws Exception {
        try (ProcessJob job = TrainingJob.of(3, directory)
                .classPath(TrainingJob.classPathWithoutJna())
                .javaOptions("-Diterations=1", "-Dfaults=kill:1@10")
                .start()) {
            assertEndWith(2, job.others(1));
            assertThat(job.rank(0).log()).contains("without JNA, an operation of a process group that waits");
        }
    }

    @Tag("full")
    @Test
    void twentyRestartsLeaveNothingBehind() throws Exception {
        try (ProcessJob job = TrainingJob.of(3, directory)
                .javaOptions("-Diterations=20", "-Dthrowing=1")
                .start()) {
            for (RankProcess rank : job.ranks()) {
                assertThat(rank.awaitExit()).as(rank::log).isZero();
                Resources early = Resources.of(rank, 5);
                Resources late = Resources.of(rank, 20);
                assertThat(late.descriptors()).as("descriptors, first %s", early).isLessThanOrEqualTo(early.descriptors() + 3);
                assertThat(late.threads()).as("threads, first %s", early).isLessThanOrEqualTo(early.threads() + 3);
                assertThat(late.megabytes()).as("MB resident, first %s", early).isLessThanOrEqualTo(early.megabytes() + 30);
            }
        }
    }

    /** What a rank had open when an iteration had done its first step. */
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

    @Tag("full")
    @Test
    void replacementOfAKilledRankJoinsTheGroup() throws Exception {
        try (TcpStoreServer server = TcpStoreServer.builder().start();
                ProcessJob job = TrainingJob.of(4, directory)
                        .javaOptions("-Diterations=2", "-DstorePort=" + server.port())
                        .start()) {
            for (RankProcess rank : job.ranks()) {
                rank.awaitThat("steps", () -> TrainingJob.nanos(rank, "STEP 0") != TrainingJob.NEVER);
            }
            job.rank(2).kill();
            for (RankProcess rank : job.others(2)) {
                rank.awaitLine("WORLD 3 in iteration 1");
            }
            job.start(2);

            for (RankProcess rank : job.ranks()) {
                assertThat(rank.awaitExit()).as(() -> logs(job)).isZero();
                assertThat(rank.lines()).as(() -> logs(job)).contains("WORLD 4 in iteration 2", "RESULT 4");
            }
        }
    }

    private static String logs(ProcessJob job) {
        return job.ranks().stream().map(RankProcess::log).collect(Collectors.joining("\n----\n"));
    }
}
