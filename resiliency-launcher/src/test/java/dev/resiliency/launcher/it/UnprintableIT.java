package dev.resiliency.launcher.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Exceptions that cannot be printed, in wrapped ranks under an agent. */
class UnprintableIT {
    @TempDir
    private Path directory;

    @Test
    void exceptionsThatCannotBePrintedCostARestartInTheProcessAndNoRank() throws Exception {
        try (Launched agent =
                Launched.program(directory, "node", UnprintableProgram.class, Path.of("-"), "--nproc-per-node", "2")) {
            assertThat(agent.awaitExit()).as(agent.log()).isZero();
            assertThat(agent.process().lines())
                    .contains("[rank 0] completed iteration 4", "[rank 1] completed iteration 4");
            assertThat(agent.log()).doesNotContain("restart 1 of");
        }
    }
}
