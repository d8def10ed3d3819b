package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.measure.ProcStatus;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Notices processes whose resources grow, compared with the first look at each. */
final class ResourceWatch {
    /** Compiler threads of the JVM and the recycler of Netty come and go; a leak grows with each restart. */
    private static final int THREADS_MORE = 8;

    private static final int DESCRIPTORS_MORE = 8;

    private record Use(long threads, int descriptors) {}

    private final Map<Integer, Use> first = new HashMap<>();

    /** Returns what has grown too much, if anything; a process that has just ended uses nothing. */
    Optional<String> look(int rank, long pid) {
        Use now;
        try {
            ProcStatus status = new ProcStatus(pid);
            now = new Use(status.threads(), status.descriptors());
        } catch (IOException ended) {
            return Optional.empty();
        }
        Use before = first.putIfAbsent(rank, now);
        boolean grows = before != null
                && (now.threads > before.threads + THREADS_MORE
                        || now.descriptors > before.descriptors + DESCRIPTORS_MORE);
        return grows
                ? Optional.of("the resources of rank %d grow: first %s, now %s".formatted(rank, before, now))
                : Optional.empty();
    }
}
