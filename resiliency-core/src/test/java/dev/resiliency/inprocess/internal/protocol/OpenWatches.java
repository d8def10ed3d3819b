package dev.resiliency.inprocess.internal.protocol;

import dev.resiliency.store.spi.ForwardingStore;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A session that knows which of its watches have not been ended. */
public final class OpenWatches extends ForwardingStore {
    private final List<String> keys = new ArrayList<>();

    public OpenWatches(SessionStore session) {
        super(session);
    }

    /** Returns the keys, each as often as it is watched. */
    public synchronized List<String> keys() {
        return List.copyOf(keys);
    }

    private synchronized void note(List<? extends Operation<?>> operations) {
        for (Operation<?> operation : operations) {
            if (operation instanceof Operation.Watch watch) {
                keys.add(watch.key());
            } else if (operation instanceof Operation.Unwatch unwatch) {
                keys.remove(unwatch.key());
            }
        }
    }

    @Override
    public CompletableFuture<List<@Nullable Object>> submit(List<? extends Operation<?>> operations, Duration timeout) {
        note(operations);
        return super.submit(operations, timeout);
    }

    @Override
    public void send(List<? extends Operation<?>> operations) {
        note(operations);
        super.send(operations);
    }
}
