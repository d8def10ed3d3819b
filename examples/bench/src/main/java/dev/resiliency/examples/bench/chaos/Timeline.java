package dev.resiliency.examples.bench.chaos;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Collects the events of a job, on all processes. Confined to the thread of the job. */
final class Timeline {
    private final long start;
    private final List<Entry> entries = new ArrayList<>();
    /** Where the last entry of each is, if it may be replaced by the next one of its kind. */
    private final Map<String, Integer> progress = new HashMap<>();

    private record Entry(long nanos, String who, String what) {}

    /** Creates a timeline whose time 0 is {@code start}. */
    Timeline(long start) {
        this.start = start;
    }

    /** Adds an event of a process, at this {@link System#nanoTime}. */
    void add(long nanos, String who, String what) {
        progress.remove(who);
        entries.add(new Entry(nanos, who, what));
    }

    /** Adds an event that makes the one before superfluous if that was also added by this method. */
    void addProgress(long nanos, String who, String what) {
        Entry entry = new Entry(nanos, who, what);
        Integer before = progress.get(who);
        if (before != null) {
            entries.set(before, entry);
        } else {
            progress.put(who, entries.size());
            entries.add(entry);
        }
    }

    /** Adds an event of the job, now. */
    void add(String what) {
        entries.add(new Entry(System.nanoTime(), "job", what));
    }

    /** Returns all events in order of time, one line each. */
    List<String> lines() {
        return entries.stream()
                .sorted(Comparator.comparingLong(entry -> entry.nanos - start))
                .map(entry -> "%10.4f s  %-21s  %s".formatted((entry.nanos - start) / 1e9, entry.who, entry.what))
                .toList();
    }
}
