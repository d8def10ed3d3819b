package dev.resiliency.examples.demo;

import dev.resiliency.examples.demo.DemoEvent.Measured;
import dev.resiliency.examples.demo.RankStatus.Phase;
import java.io.PrintStream;
import java.time.Duration;

/**
 * Shows a job to people. On a terminal, a table of the ranks is redrawn in place, below the scrolling story of the job; otherwise,
 * the story and every tenth of the training are plain lines.
 */
final class Display {
    private static final int PARTS = 10;
    private static final int BAR = 20;
    private static final String RESET = "\u001b[0m";
    private static final String BOLD = "\u001b[1m";
    private static final String RED = "\u001b[31m";
    private static final String GREEN = "\u001b[32m";
    private static final String YELLOW = "\u001b[33m";
    private static final String UP = "\u001b[%dA";
    private static final String CLEAR_TO_END = "\u001b[K";

    private final PrintStream out;
    private final boolean isLive;
    private int shownLines;
    private int shownParts;
    private int tableLines;

    Display(PrintStream out, boolean isLive) {
        this.out = out;
        this.isLive = isLive;
    }

    /** Shows what has changed; called often. */
    void update(Board board, Duration elapsed) {
        if (isLive && tableLines > 0) {
            out.print(UP.formatted(tableLines));
        }
        double seconds = elapsed.toMillis() / 1e3;
        for (String line : board.story.subList(shownLines, board.story.size())) {
            tell(seconds, line);
        }
        shownLines = board.story.size();
        if (isLive) {
            draw(board);
        } else {
            tellMeasure(board, seconds);
        }
        out.flush();
    }

    private void tell(double seconds, String line) {
        print(
                isLive
                        ? "%s%6.1f s%s  %s".formatted(BOLD, seconds, RESET, line)
                        : "[%5.1f s] %s".formatted(seconds, line));
    }

    private void print(String line) {
        out.print(line + (isLive ? CLEAR_TO_END : "") + System.lineSeparator());
    }

    private void tellMeasure(Board board, double seconds) {
        Measured measure = board.latestMeasure;
        int steps = board.plan.steps();
        int parts = (int) ((long) measure.step() * PARTS / steps);
        if (parts > shownParts) {
            shownParts = parts;
            tell(
                    seconds,
                    "step %d of %d, loss %.4f, accuracy %.1f %%"
                            .formatted(measure.step(), steps, measure.loss(), 100 * measure.accuracy()));
        }
    }

    private void draw(Board board) {
        print("");
        print(BOLD + "    rank  state       iteration   step   loss   accuracy" + RESET);
        for (int rank = 0; rank < board.ranks.size(); rank++) {
            print(row(board.label(rank), board.ranks.get(rank), board.plan.steps()));
        }
        tableLines = 2 + board.ranks.size();
    }

    private static String row(String label, RankStatus status, int steps) {
        int filled = (int) ((long) status.step * BAR / steps);
        return "%8s  %s%-10s%s %10d %6d %s  %s  %s%s"
                .formatted(
                        label,
                        colour(status.phase),
                        status.phase,
                        RESET,
                        status.iteration,
                        status.step,
                        measured("%7.4f", status.loss),
                        measured("%7.1f %%", 100 * status.accuracy),
                        "█".repeat(filled),
                        "░".repeat(BAR - filled));
    }

    private static String measured(String format, double value) {
        String text = format.formatted(value);
        return Double.isNaN(value) ? " ".repeat(text.length()) : text;
    }

    private static String colour(Phase phase) {
        return switch (phase) {
            case STARTING, WAITING, RESERVE -> "";
            case TRAINING, FINISHED -> GREEN;
            case RESTARTING -> YELLOW;
            case LOST, FAILED -> RED;
        };
    }
}
