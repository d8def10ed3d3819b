package dev.resiliency.examples.demo;

import java.io.PrintStream;
import java.time.Duration;

/** Prints plain lines: the story as it happens, and every tenth of the training. */
final class PlainDisplay implements Display {
    private static final int PARTS = 10;

    private final PrintStream out;
    private int shownLines;
    private int shownParts;

    PlainDisplay(PrintStream out) {
        this.out = out;
    }

    @Override
    public void update(Scoreboard board, Duration elapsed) {
        for (String line : board.story().subList(shownLines, board.story().size())) {
            print(elapsed, line);
        }
        shownLines = board.story().size();

        DemoEvent.Measured measure = board.latestMeasure();
        int steps = board.scenario().steps();
        int parts = (int) ((long) measure.step() * PARTS / steps);
        if (parts > shownParts) {
            shownParts = parts;
            print(
                    elapsed,
                    "step %d of %d, loss %.4f, accuracy %.1f %%"
                            .formatted(measure.step(), steps, measure.loss(), 100 * measure.accuracy()));
        }
    }

    private void print(Duration elapsed, String line) {
        out.println("[%5.1f s] %s".formatted(elapsed.toMillis() / 1e3, line));
        out.flush();
    }
}
