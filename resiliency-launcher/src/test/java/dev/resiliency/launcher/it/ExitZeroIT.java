package dev.resiliency.launcher.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ranks whose exit code alone does not say what has become of their job. */
class ExitZeroIT {
    @TempDir
    private Path directory;

    @Test
    void rankThatExitsWithZeroInTheMiddleIsReplacedAndReported() throws Exception {
        Path end = directory.resolve("end");
        Path reports = directory.resolve("reports");
        try (Launched agent = Launched.program(
                directory,
                "node",
                ExitingProgram.class,
                end,
                "--nproc-per-node",
                "2",
                "--report-dir",
                reports.toString())) {
            agent.awaitThatWorldIs(2);
            agent.awaitLog("report 1: EXITED(0) on node node, first rank 1");

            Files.createFile(end);
            assertThat(agent.awaitExit()).as(agent.log()).isZero();
            assertThat(agent.log()).contains("exited with code 0, although its job has not completed");
        }
    }

    @Tag("full")
    @Test
    void rankWhoseJobHasTooFewRanksIsNotStartedAgainToWaitOnceMore() throws Exception {
        try (Launched agent =
                Launched.program(directory, "node", LonelyProgram.class, Path.of("unused"), "--nproc-per-node", "2")) {
            assertThat(agent.awaitExit()).as(agent.log()).isEqualTo(93);
            assertThat(agent.log())
                    .contains("after its wrapper has given up")
                    .contains("minRanks is 2")
                    .doesNotContain("restart 1 of");
        }
    }

    @Tag("full")
    @Test
    void agentWhoseRanksLeaveAtASafePointAfterSigtermHasNotCompleted() throws Exception {
        try (Launched agent =
                Launched.program(directory, "node", LeavingProgram.class, Path.of("TERM"), "--nproc-per-node", "2")) {
            agent.awaitLine("[rank 0] trains");
            agent.awaitLine("[rank 1] trains");
            agent.process().signal("TERM");

            assertThat(agent.awaitExit()).as(agent.log()).isEqualTo(143);
            assertThat(agent.process().lines()).contains("[rank 0] left", "[rank 1] left");
        }
    }
}
