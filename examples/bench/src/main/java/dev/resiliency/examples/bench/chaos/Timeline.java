package dev.resiliency.examples.bench.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects the events of a job, on all ranks. Confined to the thread of the job. */
final class Timeline {
    private final long start;
    private final List<Entry> entries = new ArrayList<>();

    private record Entry(long nanos, String who, String what) {}

    /** Creates a timeline whose time 0 is {@code start}. */
    Timeline(long start) {
        this.start = start;
    }

    /** Adds an event of a rank, at this {@link System#nanoTime}. */
    void add(long nanos, int rank, String what) {
        entries.add(new Entry(nanos, "rank " + rank, what));
    }

    /** Adds an event of the job, now. */
    void add(String what) {
        entries.add(new Entry(System.nanoTime(), "job", what));
    }

    /** Returns all events in order of time, one line each. */
    List<String> lines() {
        return entries.stream()
                .sorted(Comparator.comparingLong(entry -> entry.nanos - start))
                .map(entry -> "%10.4f s  %-7s  %s".formatted((entry.nanos - start) / 1e9, entry.who, entry.what))
                .toList();
    }

    void write(Path file) throws IOException {
        Files.write(file, lines());
    }
}
