package dev.resiliency.examples.bench.measure;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Formats rows for people: a title for each column, and what it shows of a row, in the width that its title gives it. */
public final class Table<T> {
    private final List<String> titles = new ArrayList<>();
    private final List<Function<T, String>> cells = new ArrayList<>();

    /** Adds a column, which is aligned to the left if its title ends with spaces, else to the right. */
    public Table<T> column(String title, Function<T, String> cell) {
        titles.add(title);
        cells.add(cell);
        return this;
    }

    /** Adds a column of nanoseconds, shown as milliseconds. */
    public Table<T> millis(String title, ToDoubleFunction<T> nanos) {
        return column(title, row -> "%.1f".formatted(nanos.applyAsDouble(row) / 1e6));
    }

    /** Adds two columns: the least and the greatest number of nanoseconds of some runs, shown as milliseconds. */
    public <R> Table<T> range(Function<T, List<R>> runs, ToLongFunction<R> nanos) {
        Function<T, LongStream> all = row -> runs.apply(row).stream().mapToLong(nanos);
        return millis("     min", row -> all.apply(row).min().orElseThrow())
                .millis("     max", row -> all.apply(row).max().orElseThrow());
    }

    /** Adds a line between two columns. */
    public Table<T> bar() {
        return column("|", row -> "|");
    }

    /** Returns the titles. */
    public String header() {
        return String.join(" ", titles).stripTrailing();
    }

    /** Returns the line of a row. */
    public String line(T row) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < titles.size(); i++) {
            String title = titles.get(i);
            String padding = title.endsWith(" ") ? "%-" : "%";
            line.append((padding + title.length() + "s ").formatted(cells.get(i).apply(row)));
        }
        return line.toString().stripTrailing();
    }

    /** Returns a further table under its own headline; empty if it has no rows. */
    public List<String> lines(String headline, List<T> rows) {
        if (rows.isEmpty()) {
            return List.of();
        }
        return Stream.concat(Stream.of("", headline, header()), rows.stream().map(this::line))
                .toList();
    }
}
