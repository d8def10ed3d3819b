package dev.resiliency.store.spi;

import dev.resiliency.store.StoreException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/**
 * A store that forwards everything to another one: a base for stores that change some of it.
 *
 * @since 0.1.0
 */
public abstract class ForwardingStore implements SessionStore {
    private final SessionStore store;

    /** Forwards to {@code store}. */
    protected ForwardingStore(SessionStore store) {
        this.store = store;
    }

    @Override
    public CompletableFuture<List<@Nullable Object>> submit(List<? extends Operation<?>> operations, Duration timeout) {
        return store.submit(operations, timeout);
    }

    @Override
    public void send(List<? extends Operation<?>> operations) {
        store.send(operations);
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
    public Operation.Renew renewal() {
        return store.renewal();
    }

    @Override
    public @Nullable StoreAddress address() {
        return store.address();
    }

    @Override
    public @Nullable SecretKey secret() {
        return store.secret();
    }

    @Override
    public boolean isEncrypted() {
        return store.isEncrypted();
    }

    @Override
    public void onLost(Consumer<? super StoreException> listener) {
        store.onLost(listener);
    }

    @Override
    public void abandon() {
        store.abandon();
    }

    @Override
    public void close() {
        store.close();
    }

    @Override
    public String toString() {
        return store.toString();
    }
}
