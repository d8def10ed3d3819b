package dev.resiliency.launcher.it;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.testing.ProcessJob;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The signals by which schedulers announce a preemption, sent to an agent or a supervisor. */
class UserSignalIT {
    /** What {@code bin/resiliency} sets. */
    private static final Map<String, String> SUSPENSION = Map.of("_JAVA_SR_SIGNUM", "50");

    private static final String WAIT = "while [ ! -e %s ]; do sleep 0.05; done";

    @TempDir
    private Path directory;

    @Test
    void signalsReachTheRanksThatHandleThemAndEndNeitherAgentNorRanks() throws Exception {
        Path end = directory.resolve("end");
        String script = "[ $RANK = 0 ] && trap 'echo got USR1' USR1 && trap 'echo got USR2' USR2; echo ready; "
                + WAIT.formatted(end);
        try (Launched agent = Launched.script(directory, "node", script, SUSPENSION, "--nproc-per-node", "2")) {
            agent.awaitLine("[rank 0] ready");
            agent.awaitLine("[rank 1] ready");
            agent.process().signal("USR1");
            agent.awaitLine("[rank 0] got USR1");
            agent.process().signal("USR2");
            agent.awaitLine("[rank 0] got USR2");

            Files.createFile(end);
            assertThat(agent.awaitExit()).as(agent.log()).isZero();
            assertThat(agent.log()).containsPattern("process \\d+ does not handle SIGUSR1, and does not receive it");
        }
    }

    @Tag("full")
    @Test
    void wrappedRankThatAsksForASignalLeaves() throws Exception {
        try (Launched agent = Launched.program(
                directory, "node", LeavingProgram.class, Path.of("USR2"), SUSPENSION, "--nproc-per-node", "2")) {
            agent.awaitLine("[rank 0] trains");
            agent.awaitLine("[rank 1] trains");
            agent.process().signal("USR1"); // neither asks for it
            agent.awaitLog("does not handle SIGUSR1");
            agent.process().signal("USR2");
            agent.awaitLine("[rank 0] left");
            agent.awaitLine("[rank 1] left");
            assertThat(agent.awaitExit()).as(agent.log()).isEqualTo(140); // the job has not completed
        }
    }

    @Tag("full")
    @ParameterizedTest
    @ValueSource(strings = {"USR1", "USR2"})
    void programThatSupervisesItselfReceivesThem(String signal) throws Exception {
        try (ProcessJob job = ProcessJob.builder(SelfSupervised.class, directory)
                .environment("_JAVA_SR_SIGNUM", "50")
                .arguments("leave", signal)
                .start()) {
            job.rank(0).awaitLine("trains");
            job.rank(0).signal(signal); // to the supervisor
            job.rank(0).awaitLine("left");
            assertThat(job.rank(0).awaitExit()).as(job.rank(0).log()).isZero();
            assertThat(job.rank(0).log()).contains("received SIG" + signal).doesNotContain("restart 1");
        }
    }

    @Tag("full")
    @Test
    void supervisedCommandReceivesThem() throws Exception {
        Path end = directory.resolve("end");
        try (Supervised supervised =
                Supervised.script(directory, "trap 'echo got USR1' USR1; echo ready; " + WAIT.formatted(end))) {
            supervised.process().awaitLine("ready");
            supervised.process().signal("USR1");
            supervised.process().awaitLine("got USR1");

            Files.createFile(end);
            assertThat(supervised.awaitExit()).as(supervised.log()).isZero();
        }
    }
}
