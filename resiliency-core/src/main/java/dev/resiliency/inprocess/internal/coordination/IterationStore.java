package dev.resiliency.inprocess.internal.coordination;

import dev.resiliency.store.ForwardingStore;
import dev.resiliency.store.Operation;
import dev.resiliency.store.Store;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What the wrapped function has of the job's store. The session is the wrapper's, so its last will is out of reach. */
final class IterationStore extends ForwardingStore {
    IterationStore(Store store) {
        super(store);
    }

    @Override
    public CompletableFuture<List<@Nullable Object>> submit(List<? extends Operation<?>> operations, Duration timeout) {
        return super.submit(checked(operations), timeout);
    }

    @Override
    public void send(List<? extends Operation<?>> operations) {
        super.send(checked(operations));
    }

    private static List<? extends Operation<?>> checked(List<? extends Operation<?>> operations) {
        for (Operation<?> operation : operations) {
            if (operation instanceof Operation.LastWill || operation instanceof Operation.Lease) {
                throw new IllegalArgumentException(
                        "the store of an iteration lives in the wrapper's session, whose last"
                                + " will and lease are not the function's to change: open a store of your own");
            }
        }
        return operations;
    }
}
