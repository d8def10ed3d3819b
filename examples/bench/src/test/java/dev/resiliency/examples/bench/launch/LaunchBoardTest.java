package dev.resiliency.examples.bench.launch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.examples.job.AgentLine;
import org.junit.jupiter.api.Test;

class LaunchBoardTest {
    private final LaunchBoard board = new LaunchBoard(2);

    private void runs(String process, long pid, long nanos) {
        board.apply(new AgentLine(AgentLine.Kind.RUNS, pid, process, ""), nanos);
    }

    private void foundedAndKilled() {
        runs("rank 0", 10, 1);
        runs("rank 1", 11, 2);
        board.apply("rank 0", new LaunchBoard.Mark(2, 5));
        assertThat(board.isFull()).isFalse();
        board.apply("rank 1", new LaunchBoard.Mark(2, 6));
        assertThat(board.isFull()).isTrue();
        assertThat(board.pid("rank 1")).isEqualTo(11);
        board.killed(100);
        assertThat(board.isFull()).isFalse();
    }

    @Test
    void newProcessIsLaunchedBeginsAndTrains() {
        foundedAndKilled();
        board.apply("rank 0", new LaunchBoard.Mark(1, 110));
        runs("rank 1", 12, 1100);
        board.apply("rank 1", new LaunchBoard.Mark(0, 1300));
        board.apply("rank 0", new LaunchBoard.Mark(2, 1590));
        board.apply("rank 1", new LaunchBoard.Mark(2, 1600));

        assertThat(board.isFull()).isTrue();
        assertThat(board.times()).isEqualTo(new LaunchBoard.Times(1500, 1000, 200));
        assertThat(board.pid("rank 1")).isEqualTo(12);
    }

    @Test
    void spareNeedsNoNewProcess() {
        foundedAndKilled();
        board.apply("rank 1", new LaunchBoard.Mark(2, 99)); // its last words
        board.apply("rank 0", new LaunchBoard.Mark(2, 140));
        board.apply("spare 0.2", new LaunchBoard.Mark(2, 150));

        assertThat(board.isFull()).isTrue();
        assertThat(board.times()).isEqualTo(new LaunchBoard.Times(50, 0, 0));
    }

    @Test
    void markIsReadAsItWasWritten() {
        LaunchBoard.Mark mark = new LaunchBoard.Mark(3, 17);

        assertThat(LaunchBoard.Mark.parse(mark.toLine())).contains(mark);
        assertThat(LaunchBoard.Mark.parse("something else")).isEmpty();
    }
}
