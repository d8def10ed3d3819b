package dev.resiliency.store.internal.emulation;

import dev.resiliency.store.Change;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreLostException;
import dev.resiliency.store.internal.Limits;
import dev.resiliency.store.internal.Listeners;
import dev.resiliency.store.internal.RateLimitedLog;
import dev.resiliency.store.spi.Operation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reports changes to listeners by polling: what it finds, not what came and went in between. Confined to the store's
 * thread.
 */
final class EmulatedWatches {
    private final EmulatedOperations operations;
    private final RateLimitedLog warnings;
    private final List<Watch> watches = new ArrayList<>();
    private final Set<String> unreadable = new HashSet<>(); // watched keys that have already been complained about

    EmulatedWatches(EmulatedOperations operations, RateLimitedLog warnings) {
        this.operations = operations;
        this.warnings = warnings;
    }

    /**
     * A listener and its state.
     *
     * @param name a key or, if it is a prefix, the beginning of the keys
     * @param known the contents of the keys as last reported to the listener
     */
    private record Watch(
            String name, boolean isPrefix, Consumer<? super Change> listener, Map<String, Contents> known) {

        Watch(String name, boolean isPrefix, Consumer<? super Change> listener) {
            this(name, isPrefix, listener, new TreeMap<>());
        }

        boolean isSameAs(Watch other) {
            return name.equals(other.name) && isPrefix == other.isPrefix && listener.equals(other.listener);
        }

        boolean concerns(String key) {
            return isPrefix ? key.startsWith(name) : key.equals(name);
        }
    }

    boolean concerns(Operation<?> operation) {
        return watch(operation) != null;
    }

    /** Returns the watch that an operation begins or ends; null if it does neither. */
    private static @Nullable Watch watch(Operation<?> operation) {
        if (operation instanceof Operation.Watch watch) {
            return new Watch(watch.key(), false, watch.listener());
        } else if (operation instanceof Operation.Unwatch unwatch) {
            return new Watch(unwatch.key(), false, unwatch.listener());
        } else if (operation instanceof Operation.WatchPrefix watch) {
            return new Watch(watch.prefix(), true, watch.listener());
        }
        return operation instanceof Operation.UnwatchPrefix unwatch
                ? new Watch(unwatch.prefix(), true, unwatch.listener())
                : null;
    }

    /** Begins or ends the watch that an operation concerns. */
    @Nullable
    Object run(Operation<?> operation) {
        Watch watch = watch(operation);
        if (watch != null) {
            watches.removeIf(watch::isSameAs);
            if (operation instanceof Operation.Watch || operation instanceof Operation.WatchPrefix) {
                List<Watch> polled = List.of(watch);
                keys(polled).forEach(key -> tell(polled, key));
                watches.add(watch);
            }
        }
        return null;
    }

    boolean isEmpty() {
        return watches.isEmpty();
    }

    /** Polls every watched key once; returns whether one had changed. */
    boolean look() {
        List<Watch> polled = List.copyOf(watches);
        Set<String> keys = keys(polled);
        unreadable.retainAll(keys);
        boolean hasChanged = false;
        for (String key : keys) {
            hasChanged |= look(polled, key);
        }
        return hasChanged;
    }

    /** Polls one key. A problem with it is logged once and does not hold back changes of others. */
    private boolean look(List<Watch> polled, String key) {
        try {
            boolean hasChanged = tell(polled, key);
            unreadable.remove(key);
            return hasChanged;
        } catch (StoreLostException lost) {
            throw lost;
        } catch (RuntimeException failure) {
            if (unreadable.add(key)) {
                warnings.warn(
                        "Cannot report changes of the watched key {} until it is deleted or rewritten: {}",
                        Limits.shown(key),
                        String.valueOf(failure.getMessage()));
            }
            return false;
        }
    }

    /** Returns the keys to poll for these watches, in alphabetical order. */
    private Set<String> keys(List<Watch> polled) {
        TreeSet<String> keys = new TreeSet<>();
        if (polled.stream().anyMatch(Watch::isPrefix)) {
            for (String key : operations.keys("")) {
                if (polled.stream().anyMatch(watch -> watch.concerns(key))) {
                    keys.add(key);
                }
            }
        }
        for (Watch watch : polled) {
            keys.addAll(watch.isPrefix ? watch.known.keySet() : List.of(watch.name));
        }
        return keys;
    }

    private boolean tell(List<Watch> polled, String key) {
        Contents now = operations.contents(key);
        boolean hasChanged = false;
        for (Watch watch : polled) {
            hasChanged |= watch.concerns(key) && tell(watch, key, now);
        }
        return hasChanged;
    }

    /** Returns whether there was anything to report. */
    private static boolean tell(Watch watch, String key, @Nullable Contents now) {
        Contents known = now == null ? watch.known.remove(key) : watch.known.put(key, now);
        Change change = change(key, known, now);
        if (change != null) {
            Listeners.tell(watch.listener, change);
        }
        return change != null;
    }

    /** Returns the change from the known to the current contents; null if there is none to report. */
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
        return null; // of a barrier only its deletion
    }
}
