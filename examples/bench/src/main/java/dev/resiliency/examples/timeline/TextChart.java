package dev.resiliency.examples.timeline;

import dev.resiliency.store.Value;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Draws a restart as text for a terminal: a row per rank, a letter per part. */
public final class TextChart {
    private static final int WIDTH = 70; // of the time axis, so that a row fits into 100 columns
    private static final int MOST_ROWS = 16;
    private static final int TICKS = 6;
    private static final int LONGEST_LINE = 4 << 10;

    private static final char ADMITTED = '|';

    private final RestartTimeline restart;

    private TextChart(RestartTimeline restart) {
        this.restart = restart;
    }

    /** Returns title, axis, rows, legend and milestones. Recordings are files from anywhere: nothing reaches the terminal raw. */
    public static List<String> lines(RestartTimeline restart) {
        return new TextChart(restart)
                .lines().stream()
                        .map(line -> Value.printable(line, LONGEST_LINE))
                        .toList();
    }

    private List<String> lines() {
        boolean areAllShown = restart.ranks().size() <= MOST_ROWS;
        List<RankTimeline> rows = areAllShown ? restart.ranks() : restart.slowest(MOST_ROWS);
        List<String> lines = new ArrayList<>();
        lines.add(restart.title());
        lines.addAll(chart("", Axis.of(restart), rows));
        if (!areAllShown) {
            lines.add("the %d slowest of %d ranks, not counting the time that they waited for others"
                    .formatted(MOST_ROWS, restart.ranks().size()));
        }
        List<RankTimeline> joiners = restart.joiners();
        if (!joiners.isEmpty()) {
            lines.addAll(chart(
                    "from their start:",
                    Axis.ofJoiners(restart),
                    joiners.stream().limit(MOST_ROWS).toList()));
        }
        lines.add(Stream.of(Part.values())
                .filter(part -> restart.spread(part).isPresent())
                .map(part -> part.letter() + " " + part.title())
                .collect(Collectors.joining("  ", "", joiners.isEmpty() ? "" : "  " + ADMITTED + " admitted")));
        lines.add(restart.milestones().stream()
                .map(milestone -> "%s %s (rank %d last)"
                        .formatted(milestone.title(), Axis.millis(milestone.nanos()), milestone.lastRank()))
                .collect(Collectors.joining(", ", "ms: ", "")));
        lines.addAll(restart.notes());
        return lines;
    }

    private static List<String> chart(String title, Axis axis, List<RankTimeline> rows) {
        return Stream.concat(
                        Stream.of(row(title, ticks(axis), "ms")),
                        rows.stream().map(rank -> row(label(rank), bar(rank, axis), Axis.millis(rank.end()))))
                .toList();
    }

    private static String label(RankTimeline rank) {
        return "rank " + rank.rank() + (rank.roles().isEmpty() ? "" : " " + String.join(" ", rank.roles()));
    }

    private static String row(String label, String middle, String end) {
        return String.format(Locale.ROOT, "%-20s %-" + WIDTH + "s %7s", label, middle, end)
                .stripTrailing();
    }

    /** Places the label of each tick at its position. */
    private static String ticks(Axis axis) {
        StringBuilder line = new StringBuilder(" ".repeat(WIDTH));
        axis.ticks(TICKS).forEach(tick -> {
            String label = Axis.label(tick);
            int column = Math.min(column(tick, axis), WIDTH - label.length());
            line.replace(column, column + label.length(), label);
        });
        return line.toString();
    }

    /** Returns for each column the letter of the part that took most of it, and a mark where the rank was admitted. */
    private static String bar(RankTimeline rank, Axis axis) {
        char[] bar = new char[WIDTH];
        Arrays.fill(bar, ' ');
        double[] covered = new double[WIDTH];
        for (Span span : rank.spans()) {
            double start = axis.share(span.start()) * WIDTH;
            double end = axis.share(span.end()) * WIDTH;
            for (int column = (int) start; column < Math.min(end, WIDTH); column++) {
                double part = Math.min(end, column + 1) - Math.max(start, column);
                if (part > covered[column]) {
                    covered[column] = part;
                    bar[column] = span.part().letter();
                }
            }
        }
        rank.admission().ifPresent(moment -> bar[column(moment, axis)] = ADMITTED);
        return new String(bar);
    }

    private static int column(long nanos, Axis axis) {
        return (int) Math.min(WIDTH - 1, Math.round(axis.share(nanos) * WIDTH));
    }
}
