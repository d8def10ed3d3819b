package dev.resiliency.examples.bench.chaos;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** What has happened in a job, on all ranks. Confined to the thread of the job. */
final class Timeline {
    private final long start;
    private final List<Entry> entries = new ArrayList<>();

    private record Entry(long nanos, String who, String what) {}

    /** {@code start} is its moment 0. */
    Timeline(long start) {
        this.start = start;
    }

    /** Something has happened to a rank, at this moment of {@link System#nanoTime}. */
    void add(long nanos, int rank, String what) {
        entries.add(new Entry(nanos, "rank " + rank, what));
    }

    /** The job has done something, just now. */
    void add(String what) {
        entries.add(new Entry(System.nanoTime(), "job", what));
    }

    /** All of it in the order of its moments, a line each. */
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
