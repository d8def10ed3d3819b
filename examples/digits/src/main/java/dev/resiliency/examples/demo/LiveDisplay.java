package dev.resiliency.examples.demo;

import java.io.PrintStream;
import java.time.Duration;

/** Redraws a table of the ranks in place, on a terminal, below the scrolling story of the job. */
final class LiveDisplay implements Display {
    private static final int BAR = 20;
    private static final String RESET = "\u001b[0m";
    private static final String BOLD = "\u001b[1m";
    private static final String RED = "\u001b[31m";
    private static final String GREEN = "\u001b[32m";
    private static final String YELLOW = "\u001b[33m";
    private static final String UP = "\u001b[%dA";
    private static final String CLEAR_TO_END = "\u001b[K";

    private final PrintStream out;
    private int shownLines;
    private int tableLines;

    LiveDisplay(PrintStream out) {
        this.out = out;
    }

    @Override
    public void update(Scoreboard board, Duration elapsed) {
        StringBuilder frame = new StringBuilder();
        if (tableLines > 0) {
            frame.append(UP.formatted(tableLines));
        }
        for (String line : board.story().subList(shownLines, board.story().size())) {
            frame.append(line("%s%6.1f s%s  %s".formatted(BOLD, elapsed.toMillis() / 1e3, RESET, line)));
        }
        shownLines = board.story().size();

        frame.append(line("")).append(line(BOLD + "    rank  state       iteration   step   loss   accuracy" + RESET));
        for (int rank = 0; rank < board.ranks().size(); rank++) {
            frame.append(line(row(
                    board.label(rank), board.ranks().get(rank), board.scenario().steps())));
        }
        tableLines = 2 + board.ranks().size();
        out.print(frame);
        out.flush();
    }

    private static String line(String text) {
        return text + CLEAR_TO_END + "\n";
    }

    private static String row(String label, RankStatus status, int steps) {
        int filled = (int) ((long) status.step() * BAR / steps);
        return "%8s  %s%-10s%s %10d %6d %s  %s  %s%s"
                .formatted(
                        label,
                        colour(status.phase()),
                        status.phase(),
                        RESET,
                        status.iteration(),
                        status.step(),
                        measured("%7.4f", status.loss()),
                        measured("%7.1f %%", 100 * status.accuracy()),
                        "█".repeat(filled),
                        "░".repeat(BAR - filled));
    }

    private static String measured(String format, double value) {
        String text = format.formatted(value);
        return Double.isNaN(value) ? " ".repeat(text.length()) : text;
    }

    private static String colour(RankStatus.Phase phase) {
        return switch (phase) {
            case NOT_THERE, STARTING, WAITING, RESERVE -> "";
            case TRAINING, FINISHED -> GREEN;
            case RESTARTING -> YELLOW;
            case LOST, FAILED -> RED;
        };
    }
}
