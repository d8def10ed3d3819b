package dev.resiliency.examples.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.examples.job.CommandRun;
import org.junit.jupiter.api.Test;

class GpuCommandTest {

    @Test
    void trainingOnGpusWithoutRanksIsAMistakeOfTheUser() {
        CommandRun run = CommandRun.of(new GpuCommand(), "--ranks", "0");

        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err())
                .startsWith("error: --ranks is 0 and --steps is 1000: both must be at least 1")
                .hasLineCount(1);
    }

    @Test
    void helpListsTheFaultsOfGpusAndThoseOfAnyTraining() {
        CommandRun run = CommandRun.of(new GpuCommand(), "--help");

        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .contains("--fault=KIND:RANK@STEP", "  host-loss ", "  gpu-error ", "  gpu-hang ")
                .doesNotContain("null");
    }
}
