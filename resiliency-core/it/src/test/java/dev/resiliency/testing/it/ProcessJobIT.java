package dev.resiliency.testing.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.resiliency.testing.Diagnosis;
import dev.resiliency.testing.Patience;
import dev.resiliency.testing.ProcessJob;
import dev.resiliency.testing.RankProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs of real processes as tests of users see them. */
class ProcessJobIT {
    @TempDir
    private Path directory;

    @Test
    void ranksGetTheirEnvironmentOptionsAndArgumentsAndAreRead() throws Exception {
        try (ProcessJob job = ProcessJob.builder(Echo.class, directory)
                .worldSize(2)
                .environment("COLOUR", "blue")
                .javaOptions("-Dshape=round")
                .arguments("loud", "clear")
                .start()) {
            for (RankProcess rank : job.ranks()) {
                rank.awaitLine(
                        "rank " + rank.rank() + " of 2 at 127.0.0.1:" + job.port() + ", blue, round, [loud, clear]");
                rank.send("hello");
                rank.awaitLine("heard hello");
                rank.closeInput();
                assertThat(rank.awaitExit()).isZero();
                assertThat(rank.log()).isEqualTo("the end\n");
            }
            assertThat(job.others(0)).containsExactly(job.rank(1));
        }
    }

    @Test
    void programBeforeTheCommandStartsItAndLinesAreTakenOnce() throws Exception {
        try (ProcessJob job = ProcessJob.builder(Echo.class, directory)
                .prefix("env", "COLOUR=green")
                .start()) {
            RankProcess rank = job.rank(0);
            rank.awaitThat("prints", () -> !rank.lines().isEmpty());

            assertThat(rank.takeLines()).singleElement().asString().contains(", green, ");
            assertThat(rank.lines()).isEmpty();
            assertThat(rank.isAlive()).isTrue();
        }
    }

    @Test
    void testThatTimesOutLearnsWhereTheThreadsStand() throws Exception {
        try (ProcessJob job = ProcessJob.builder(Echo.class, directory)
                .limit(Duration.ofSeconds(1))
                .start()) {
            assertThatExceptionOfType(AssertionError.class)
                    .isThrownBy(() -> job.rank(0).awaitLine("never said"))
                    .withMessageMatching("(?s)timed out after \\d+ s, waiting until rank 0 writes 'never said'.*")
                    .withMessageContaining("rank 0 of 1")
                    .withMessageContaining("dev.resiliency.testing.it.Echo.main");
            assertThatExceptionOfType(AssertionError.class)
                    .isThrownBy(job.rank(0)::awaitExit)
                    .withMessageMatching("(?s)timed out after \\d+ s, waiting until rank 0 ends.*");
        }
    }

    @Test
    void nobodyWaitsForALineOfAProcessThatHasEnded() throws Exception {
        try (ProcessJob job = ProcessJob.builder(Echo.class, directory).start()) {
            job.rank(0).kill();

            assertThatExceptionOfType(AssertionError.class)
                    .isThrownBy(() -> job.rank(0).awaitLine("never said"))
                    .withMessageMatching("(?s)ended after \\d+ s, waiting until rank 0 writes 'never said'.*");
        }
    }

    @Test
    void diagnosisOfAProcessHasTheStacksOfWhatItHasStarted() throws Exception {
        try (ProcessJob job = ProcessJob.builder(Echo.class, directory).start()) {
            RankProcess rank = job.rank(0);
            rank.send("hello");
            rank.awaitLine("heard hello");

            assertThat(Diagnosis.of(ProcessHandle.current()))
                    .contains("process " + ProcessHandle.current().pid(), "process " + rank.pid())
                    .contains(
                            "diagnosisOfAProcessHasTheStacksOfWhatItHasStarted", "dev.resiliency.testing.it.Echo.main");
        }
    }

    @Test
    void noProcessOutlivesItsJob() throws Exception {
        ProcessHandle child;
        RankProcess rank;
        try (ProcessJob job = ProcessJob.builder(Echo.class, directory)
                .environment("CHILD", "yes")
                .start()) {
            rank = job.rank(0);
            rank.awaitLine("has a child");
            assertThat(rank.family()).hasSize(2);
            child = rank.family().stream()
                    .filter(each -> each.pid() != job.rank(0).pid())
                    .findFirst()
                    .orElseThrow();
            rank.kill();
            assertThat(rank.awaitExit()).isEqualTo(137);
            assertThat(child.isAlive()).isTrue();
        }
        child.onExit().get(Patience.stretch(Duration.ofSeconds(10)).toMillis(), TimeUnit.MILLISECONDS);
        assertThat(rank.family()).isEmpty();
    }
}
