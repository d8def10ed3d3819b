package dev.resiliency.inprocess.internal.coordination;

import dev.resiliency.store.Operation;
import dev.resiliency.store.Store;
import dev.resiliency.store.StoreAddress;
import dev.resiliency.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What the wrapped function has of the job's store. The session is the wrapper's, so its last will is out of reach. */
record IterationStore(Store store) implements Store {

    @Override
    public CompletableFuture<List<@Nullable Object>> submit(List<? extends Operation<?>> operations, Duration timeout) {
        return store.submit(checked(operations), timeout);
    }

    @Override
    public void send(List<? extends Operation<?>> operations) {
        store.send(checked(operations));
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

    @Override
    public Duration timeout() {
        return store.timeout();
    }

    @Override
    public long session() {
        return store.session();
    }

    @Override
    public @Nullable StoreAddress address() {
        return store.address();
    }

    @Override
    public void onLost(Consumer<? super StoreException> listener) {
        store.onLost(listener);
    }

    @Override
    public void close() {
        store.close();
    }
}
