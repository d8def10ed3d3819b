package dev.resiliency.examples.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.examples.bench.chaos.ChaosEvent.Started;
import dev.resiliency.examples.job.AgentLine;
import dev.resiliency.inprocess.State.Entry;
import org.junit.jupiter.api.Test;

class LaunchedBoardTest {
    private static final long PID = 100;

    private final LaunchedBoard board =
            new LaunchedBoard(new LaunchedSettings(1, 2, 1, 0, "hard", 8), new Timeline(System.nanoTime()));

    private void says(String text) {
        board.said(
                0,
                AgentLine.parse("2026-01-01 00:00:00.000 [agent of node0] " + text)
                        .orElseThrow());
    }

    private void founds(int rank, int iteration, int generation) {
        Started event = new Started(iteration, rank, 2, rank, 2, rank, Entry.FOUNDED, generation, generation, 0);
        board.printed(0, PID + " " + event.toLine());
    }

    @Test
    void processToWhichTheKernelGivesAnIdAgainIsAnother() {
        says("process 100 runs rank 0");
        founds(0, 0, 0);
        says("rank 0 (process 100) was ended by SIGKILL after 3s");

        says("process 100 runs rank 1 (restart 1 of 10 within 1h)");
        founds(1, 100, 1);

        assertThat(board.violations()).isEmpty();
    }

    @Test
    void processThatFoundsTwiceIsWrong() {
        says("process 100 runs rank 0");
        founds(0, 0, 0);
        founds(0, 100, 1);

        assertThat(board.violations())
                .singleElement()
                .asString()
                .contains("says that it has founded iteration 100; it was in iteration 0 before");
    }
}
