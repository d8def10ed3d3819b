package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.measure.ProcStatus;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

/** Notices processes whose resources grow, compared with the first two looks at each in the same role. */
final class ResourceWatch {
    /** Compiler threads of the JVM and the recycler of Netty come and go; a leak grows with each restart. */
    private static final int THREADS_MORE = 8;

    /** The first call in a process holds nine while it warms up the loss of a store, beside the first restarts of a busy machine. */
    private static final int DESCRIPTORS_MORE = 12;

    private record Use(long threads, SortedMap<String, Integer> openFiles) {
        boolean exceeds(Use before) {
            return threads > before.threads + THREADS_MORE || descriptors() > before.descriptors() + DESCRIPTORS_MORE;
        }

        Use max(Use other) {
            return new Use(
                    Math.max(threads, other.threads),
                    descriptors() > other.descriptors() ? openFiles : other.openFiles);
        }

        /** Counts no archive of the class path: the JVM opens each as it first looks into it. */
        private int descriptors() {
            return openFiles.entrySet().stream()
                    .filter(file -> !file.getKey().endsWith(".jar"))
                    .mapToInt(Map.Entry::getValue)
                    .sum();
        }
    }

    private final Map<String, Use> first = new HashMap<>(); // by name and role
    private final Map<String, Use> second = new HashMap<>(); // the maximum of the first two

    /** Returns what has grown too much, if anything; a process that has just ended uses nothing. */
    Optional<String> look(String name, long pid) {
        Use now;
        try {
            ProcStatus status = new ProcStatus(pid);
            now = new Use(status.threads(), status.openFiles());
        } catch (IOException ended) {
            return Optional.empty();
        }
        Use once = first.putIfAbsent(name, now);
        Use before = once == null ? null : second.putIfAbsent(name, now.max(once));
        boolean grows = before != null && now.exceeds(before);
        return grows
                ? Optional.of("the resources of %s grow: first %s, now %s".formatted(name, before, now))
                : Optional.empty();
    }
}
