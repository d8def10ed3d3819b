package dev.resiliency.inprocess.internal.protocol;

import dev.resiliency.store.spi.ForwardingStore;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The store passed to the wrapped function. The session is the wrapper's, so the function cannot change its last will
 * or lease, and its watches end with the iteration.
 */
final class IterationStore extends ForwardingStore {
    /** Guarded by itself. */
    private final List<Operation<?>> endsOfWatches = new ArrayList<>();

    IterationStore(SessionStore store) {
        super(store);
    }

    /** Ends the function's remaining watches; needs no answer. */
    void endWatches() {
        List<Operation<?>> ends;
        synchronized (endsOfWatches) {
            ends = List.copyOf(endsOfWatches);
            endsOfWatches.clear();
        }
        if (!ends.isEmpty()) {
            super.send(ends);
        }
    }

    @Override
    public CompletableFuture<List<@Nullable Object>> submit(List<? extends Operation<?>> operations, Duration timeout) {
        return super.submit(checked(operations), timeout);
    }

    @Override
    public void send(List<? extends Operation<?>> operations) {
        super.send(checked(operations));
    }

    private List<? extends Operation<?>> checked(List<? extends Operation<?>> operations) {
        for (Operation<?> operation : operations) {
            if (operation instanceof Operation.LastWill || operation instanceof Operation.Lease) {
                throw new IllegalArgumentException(
                        "the store of an iteration shares the wrapper's session, whose last will"
                                + " and lease the function may not change: open a store of your own");
            }
            if (operation instanceof Operation.Watch watch) {
                endLater(new Operation.Unwatch(watch.key(), watch.listener()));
            } else if (operation instanceof Operation.WatchPrefix watch) {
                endLater(new Operation.UnwatchPrefix(watch.prefix(), watch.listener()));
            }
        }
        return operations;
    }

    private void endLater(Operation<?> end) {
        synchronized (endsOfWatches) {
            endsOfWatches.add(end);
        }
    }
}
