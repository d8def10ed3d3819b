package dev.resiliency.launcher.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.resiliency.testing.Patience;
import dev.resiliency.testing.ProcessJob;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ranks that hang, and ranks that ask for something, under a real agent. */
class RankMonitorIT {
    private static final long NOT_KNOWN = -1;

    @TempDir
    private Path directory;

    private Launched rank(String behaviour, String... options) throws Exception {
        return Launched.program(directory, "node", MonitoredProgram.class, Path.of(behaviour), options);
    }

    private static double seconds(String log, String before) {
        Matcher matcher =
                Pattern.compile(Pattern.quote(before) + " (\\d+\\.\\d) s").matcher(log);
        assertThat(matcher.find()).as(log).isTrue();
        return Double.parseDouble(matcher.group(1));
    }

    @Test
    void rankThatHangsInASectionShowsItsThreadsAndRunsAgain() throws Exception {
        try (Launched agent = rank("section", "--rank-section-timeouts", "optimizer:2,other:1h")) {
            assertThat(agent.awaitExit()).as(agent.log()).isZero();

            assertThat(agent.process().lines())
                    .contains(
                            "event Started[iteration=0, activeWorldSize=1]",
                            "life 0 is watched",
                            "life 1 is watched",
                            "completed")
                    .anyMatch(line -> line.contains("MonitoredProgram.hangIn"));
            assertThat(agent.log())
                    .contains("hangs: section 'optimizer' has been open for", "and the limit is 2.0 s")
                    .contains("was ended by SIGKILL")
                    .contains("as it hung: section 'optimizer'")
                    .contains("restart 1 of 10");
            // The deadline is a timer: the hang is found when it is due, if the machine is not too busy.
            assertThat(seconds(agent.log(), "has been open for")).isBetween(2.0, 30.0);
        }
        assertThat(directory.resolve("run/stamps")).isEmptyDirectory();
    }

    @Test
    @Tag("full")
    void rankThatIsKilledBeforeItsMonitorProcessWatchesItLeavesNoFile() throws Exception {
        try (Launched agent = Launched.program(
                directory,
                "node",
                UnwatchedProgram.class,
                directory,
                "--nproc-per-node",
                "2",
                "--restart-policy",
                "hard")) {
            agent.process().awaitThat("has two ranks that wait", () -> heartbeatFiles() == 2);

            agent.rank(0).destroyForcibly();

            assertThat(agent.awaitExit()).as(agent.log()).isZero();
            assertThat(agent.process().lines()).contains("[rank 0] goes on", "[rank 1] goes on");
            assertThat(heartbeatFiles()).isZero();
        }
    }

    private long heartbeatFiles() {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(file -> file.getFileName().toString().contains("resiliency-heartbeat"))
                    .count();
        } catch (IOException | UncheckedIOException e) {
            return NOT_KNOWN; // a directory has gone meanwhile
        }
    }

    @Test
    @Tag("full")
    void freshInnerSectionsDoNotMaskAnOverdueOuterOne() throws Exception {
        try (Launched agent =
                rank("masked", "--rank-section-timeouts", "epoch:2,step:10m", "--rank-heartbeat-timeout", "10m")) {
            assertThat(agent.awaitExit()).as(agent.log()).isZero();
            assertThat(agent.log()).contains("hangs: section 'epoch' has been open for");
        }
    }

    @Test
    @Tag("full")
    void suspendedRankIsFoundByItsHeartbeatAndGoesOnToShowItsThreads() throws Exception {
        try (Launched agent = rank("steps", "--rank-heartbeat-timeout", "3")) {
            agent.awaitLine("steps");
            suspend(agent);

            assertThat(agent.awaitExit()).as(agent.log()).isZero();
            assertThat(agent.log()).contains("hangs: the last heartbeat was", "and the limit is 3.0 s");
            assertThat(agent.process().lines()).anyMatch(line -> line.contains("MonitoredProgram.misbehave"));
        }
    }

    private static void suspend(Launched agent) throws Exception {
        new ProcessBuilder("kill", "-STOP", Long.toString(agent.rank(0).pid()))
                .start()
                .waitFor();
    }

    @Test
    @Tag("full")
    void rankThatSendsNoFirstHeartbeatRunsAgain() throws Exception {
        try (Launched agent =
                rank("silent", "--initial-rank-heartbeat-timeout", "10s", "--rank-termination-signal", "SIGTERM")) {
            assertThat(agent.awaitExit()).as(agent.log()).isZero();
            assertThat(agent.log())
                    .contains("hangs: there has been no heartbeat since it started")
                    .contains("receives SIGTERM, and has 30s to end")
                    .contains("restart 1 of 10");
        }
    }

    @Test
    @Tag("full")
    void rankWhoseFileIsTruncatedIsNoLongerWatchedAndNobodyEndsForIt() throws Exception {
        try (Launched agent = Launched.program(
                directory,
                "node",
                MonitoredProgram.class,
                Path.of("truncate"),
                Map.of("DROPPED", directory.resolve("dropped").toString()),
                "--nproc-per-node",
                "2",
                "--rank-heartbeat-timeout",
                "2s")) {
            assertThat(agent.awaitExit()).as(agent.log()).isZero();

            assertThat(agent.log())
                    .containsOnlyOnce("is no longer watched, as its file")
                    .contains("process 1 of this node is no longer watched")
                    .doesNotContain("restart 1 of", "hangs:");
        }
    }

    @Test
    void rankExcludesItsNodeAtOnce() throws Exception {
        try (Launched agent = rank("exclude")) {
            assertThat(agent.awaitExit()).as(agent.log()).isEqualTo(94);
            assertThat(agent.log()).contains("rank 0 asks to exclude this node: ECC errors");
        }
    }

    @Test
    @Tag("full")
    void rankEndsTheJobAtOnce() throws Exception {
        try (Launched agent = rank("shutdown", "--nproc-per-node", "2")) {
            assertThat(agent.awaitExit()).as(agent.log()).isEqualTo(93);
            assertThat(agent.log()).contains("asks to end the job: the loss is NaN");
        }
    }

    @Test
    @Tag("full")
    void settingsOfTheOriginalsFileAreUnderstood() throws Exception {
        Path file = Files.writeString(directory.resolve("job.yaml"), """
                fault_tolerance:
                  initial_rank_heartbeat_timeout: 600.0
                  rank_heartbeat_timeout: null
                  rank_section_timeouts:
                    optimizer: 2.0
                    setup: 600
                  rank_out_of_section_timeout: 600
                  safety_factor: 5.0
                  rank_termination_signal: SIGKILL
                  max_no_progress_cycles: 3
                """);
        try (Launched agent = rank("section", "--config", file.toString())) {
            assertThat(agent.awaitExit()).as(agent.log()).isZero();
            assertThat(agent.log()).contains("hangs: section 'optimizer' has been open for");
        }
    }

    @Test
    void timesOfARunAreKeptAndLimitTheNext() throws Exception {
        try (Launched first = rank("timings", "--nproc-per-node", "2")) {
            assertThat(first.awaitExit()).as(first.log()).isZero();
            assertThat(first.log()).contains("section 'step': 54 measured, p50 0.0");
        }
        assertThat(directory.resolve("run/times/default.json")).content().contains("\"step\"", "\"\"");

        try (Launched second = rank("step", "--calculate-timeouts", "true", "--max-restarts", "0")) {
            assertThat(second.awaitExit()).as(second.log()).isEqualTo(93);
            assertThat(second.log()).contains("hangs: section 'step' has been open for");
            assertThat(seconds(second.log(), "and the limit is")).isBetween(1.0, 10.0);
        }
    }

    @Test
    @Tag("full")
    void sectionsAreShownBesideTheirLimitsWhileTheJobRuns() throws Exception {
        int port = ProcessJob.freePort();
        String endpoint = "127.0.0.1:" + port;
        try (Launched agent = rank("steps", "--rdzv-endpoint", endpoint, "--rank-section-timeouts", "step:30")) {
            agent.awaitLine("steps");
            Matcher step = Pattern.compile("step +(\\d+) +0\\.0\\d\\d s +0\\.\\d+ s +\\d+\\.\\d+ s +30\\.000 s +\\d+ %")
                    .matcher("");
            await().atMost(Patience.stretch(Duration.ofSeconds(60)))
                    .until(() -> step.reset(status(endpoint)).find());
            assertThat(Integer.parseInt(step.group(1))).as(step.group()).isGreaterThan(10);
            assertThat(status(endpoint)).containsPattern("between heartbeats .* - +-\n");
        }
    }

    @Test
    @Tag("full")
    void sectionsOfAllNodesAreShownTogether() throws Exception {
        String endpoint = "127.0.0.1:" + ProcessJob.freePort();
        try (Launched zero = node(0, endpoint);
                Launched one = node(1, endpoint)) {
            zero.awaitLine("life 0 is watched");
            one.awaitLine("life 0 is watched");
            // Each rank leaves the first 3 of its 30 steps out, to warm up.
            Matcher step = Pattern.compile("(?m)^ *step +54 +0\\.\\d+ s").matcher("");
            await().atMost(Patience.stretch(Duration.ofMinutes(2)))
                    .until(() -> step.reset(status(endpoint)).find());
        }
    }

    private Launched node(int number, String endpoint) throws Exception {
        return Launched.program(
                directory,
                "node" + number,
                MonitoredProgram.class,
                Path.of("counted"),
                "--nnodes",
                "2",
                "--rdzv-endpoint",
                endpoint,
                "--local-addr",
                "127.0.0." + (number + 1));
    }

    private String status(String endpoint) throws Exception {
        return String.join("\n", new Control(directory, endpoint).run("status"));
    }

    @Test
    @Tag("full")
    void whatRanksHaveStampedIsNotLostWithTheirAgent() throws Exception {
        try (Launched killed = rank("steps")) {
            killed.awaitLine("steps");
            killed.process().kill();
            killed.awaitExit();
        }
        assertThat(directory.resolve("run/times/default.json")).doesNotExist();
        assertThat(directory.resolve("run/stamps")).isDirectoryRecursivelyContaining("glob:**.stamps");

        try (Launched next = rank("idle")) {
            assertThat(next.awaitExit()).as(next.log()).isZero();
        }
        assertThat(directory.resolve("run/times/default.json")).content().contains("\"step\"");
        assertThat(directory.resolve("run/stamps")).isEmptyDirectory();
    }

    @Test
    @Tag("full")
    void jobThatGetsNoFurtherEnds() throws Exception {
        try (Launched agent = rank("stuck", "--max-startup-failures", "0", "--max-restarts", "20")) {
            assertThat(agent.awaitExit()).as(agent.log()).isEqualTo(93);
            assertThat(agent.log())
                    .contains("restart 3 of 20")
                    .doesNotContain("restart 4 of 20")
                    .contains("the job makes no progress: 3 restarts in a row, and no step higher than 5");
        }
    }
}
