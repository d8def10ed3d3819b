package dev.resiliency.store.plain;

import dev.resiliency.store.Change;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Operation;
import dev.resiliency.store.internal.Listeners;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Tells listeners of changes by looking again and again: of what it finds, and not of what came and went in between.
 * Confined to the store's thread.
 */
final class FallbackWatches {
    private final FallbackOperations operations;
    private final List<Watch> watches = new ArrayList<>();

    FallbackWatches(FallbackOperations operations) {
        this.operations = operations;
    }

    /** A listener, and what it knows its key to hold. */
    private static final class Watch {
        private final String key;
        private final Consumer<? super Change> listener;
        private @Nullable Contents known;

        Watch(String key, Consumer<? super Change> listener) {
            this.key = key;
            this.listener = listener;
        }

        boolean is(String key, Consumer<? super Change> listener) {
            return this.key.equals(key) && this.listener.equals(listener);
        }

        /** Returns whether there was anything to tell. */
        boolean tell(@Nullable Contents now) {
            Change change = change(key, known, now);
            known = now;
            if (change != null) {
                Listeners.tell(listener, change);
            }
            return change != null;
        }
    }

    boolean concerns(Operation<?> operation) {
        return operation instanceof Operation.Watch || operation instanceof Operation.Unwatch;
    }

    /** Begins or ends a watch. */
    @Nullable
    Object run(Operation<?> operation) {
        if (operation instanceof Operation.Watch begun) {
            Watch watch = new Watch(begun.key(), begun.listener());
            watch.tell(operations.contents(begun.key()));
            watches.removeIf(other -> other.is(begun.key(), begun.listener()));
            watches.add(watch);
        } else if (operation instanceof Operation.Unwatch ended) {
            watches.removeIf(watch -> watch.is(ended.key(), ended.listener()));
        }
        return null;
    }

    boolean isEmpty() {
        return watches.isEmpty();
    }

    /** Looks at every watched key once; returns whether one had changed. */
    boolean look() {
        Map<String, List<Watch>> byKey = new HashMap<>();
        watches.forEach(watch ->
                byKey.computeIfAbsent(watch.key, unused -> new ArrayList<>()).add(watch));
        boolean hasChanged = false;
        for (Map.Entry<String, List<Watch>> watched : byKey.entrySet()) {
            Contents now = operations.contents(watched.getKey());
            for (Watch watch : watched.getValue()) {
                hasChanged |= watch.tell(now);
            }
        }
        return hasChanged;
    }

    /** What a listener that knows of one is told when it is the other; null for nothing. */
    private static @Nullable Change change(String key, @Nullable Contents known, @Nullable Contents now) {
        if (now == null) {
            return known == null ? null : new Change.Deleted(key);
        } else if (now instanceof Contents.Plain stored) {
            return now.equals(known) ? null : new Change.Written(key, stored.value());
        } else if (now instanceof Contents.Members set) {
            if (!(known instanceof Contents.Members before)) {
                return new Change.Joined(key, set.members());
            }
            IndexSet joined = set.members().minus(before.members());
            return joined.isEmpty() ? null : new Change.Joined(key, joined);
        }
        return null; // of a barrier only that it is deleted
    }
}
