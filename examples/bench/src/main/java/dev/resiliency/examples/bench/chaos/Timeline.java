package dev.resiliency.examples.bench.chaos;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Collects the events of a job, on all processes. Confined to the thread of the job. */
final class Timeline {
    private final long start;
    private final List<Entry> entries = new ArrayList<>();

    private record Entry(long nanos, String who, String what, boolean isProgress) {
        boolean isSupersededBy(Entry next) {
            return isProgress && next.isProgress && who.equals(next.who);
        }
    }

    /** Creates a timeline whose time 0 is {@code start}. */
    Timeline(long start) {
        this.start = start;
    }

    /** Adds an event of a process, at this {@link System#nanoTime}; progress makes the one before superfluous. */
    void add(long nanos, String who, String what, boolean isProgress) {
        Entry entry = new Entry(nanos, who, what, isProgress);
        if (!entries.isEmpty() && entries.get(entries.size() - 1).isSupersededBy(entry)) {
            entries.remove(entries.size() - 1);
        }
        entries.add(entry);
    }

    /** Adds something else of a process, now. */
    void add(String who, String what) {
        add(System.nanoTime(), who, what, false);
    }

    /** Adds an event of the job, now. */
    void add(String what) {
        add("job", what);
    }

    /** Returns all events in order of time, one line each. */
    List<String> lines() {
        return entries.stream()
                .sorted(Comparator.comparingLong(entry -> entry.nanos - start))
                .map(entry -> "%10.4f s  %-21s  %s".formatted((entry.nanos - start) / 1e9, entry.who, entry.what))
                .toList();
    }
}
