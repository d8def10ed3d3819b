package dev.resiliency.launcher.rendezvous;

import dev.resiliency.inprocess.spi.LaunchedJob;
import dev.resiliency.store.Change;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** The keys of a job's agents, as a successor of the store's host keeps them. The thread of the store writes, any may read. */
final class JobCopy {
    private static final List<String> PREFIXES = List.of(
            Keys.NODE_PREFIX, Keys.SEAT_PREFIX, Keys.EVENT_PREFIX, "names/", "drains/", "unhealthy/", Keys.once(""));

    private static final List<String> VALUES =
            List.of(Keys.TERMS, Keys.CYCLE, Keys.RANGE, Keys.RESTARTS, Keys.TIMES, Keys.PROGRESS);
    static final List<String> SETS = List.of(Keys.CAME, Keys.GONE, Keys.DONE, Keys.LEFT, Keys.LEAVING, Keys.STOPPING);

    private final Map<String, Value> values = new ConcurrentHashMap<>();
    private final Map<String, IndexSet> sets = new ConcurrentHashMap<>();
    /** That of the ranks' job; empty if none has begun. */
    private volatile String generation = "";

    private volatile boolean isWhole;

    private JobCopy() {}

    /** Begins to keep a copy, which is whole some time later. */
    @SuppressWarnings("FutureReturnValueIgnored") // if it fails, the copy is never whole
    static JobCopy begin(SessionStore session, String jobId) {
        JobCopy copy = new JobCopy();
        SessionStore store = NodeSession.storeOf(session, jobId);
        session.send(List.of(new Operation.Watch(LaunchedJob.generationKey(jobId), copy::keepGeneration)));
        List<Operation<?>> watches = new ArrayList<>();
        Consumer<Change> keep = copy::keep;
        PREFIXES.forEach(prefix -> watches.add(new Operation.WatchPrefix(prefix, keep)));
        VALUES.forEach(key -> watches.add(new Operation.Watch(key, keep)));
        SETS.forEach(key -> watches.add(new Operation.Watch(key, keep)));
        store.submit(watches, store.timeout()).thenRun(() -> copy.isWhole = true);
        return copy;
    }

    private void keep(Change change) {
        if (change instanceof Change.Written written) {
            values.put(written.key(), written.value());
        } else if (change instanceof Change.Deleted) {
            values.remove(change.key());
        } else if (change instanceof Change.Joined joined) {
            sets.merge(joined.key(), joined.members(), IndexSet::union);
        }
    }

    private void keepGeneration(Change change) {
        if (change instanceof Change.Written written) {
            generation = written.value().text();
        }
    }

    String generation() {
        return generation;
    }

    boolean isWhole() {
        return isWhole;
    }

    Map<String, Value> values() {
        return values;
    }

    /** Returns a value; empty if it is not there. */
    Value value(String key) {
        return values.getOrDefault(key, Value.empty());
    }

    IndexSet set(String key) {
        return sets.getOrDefault(key, IndexSet.empty());
    }
}
