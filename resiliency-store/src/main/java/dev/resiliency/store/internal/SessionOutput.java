package dev.resiliency.store.internal;

import dev.resiliency.store.Change;
import dev.resiliency.store.SessionExpiredException;
import dev.resiliency.store.StoreException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Receives the output of a keyspace for one session, in order. Called in the middle of a step: it must not throw, block
 * or call the keyspace.
 */
public interface SessionOutput {

    /** Reports that the request succeeded with these results. */
    void reply(long request, List<@Nullable Object> results);

    /** Reports that the request failed. */
    void fail(long request, StoreException failure);

    /** Reports that a key that the session watches has changed. */
    void tell(Consumer<? super Change> listener, Change change);

    /** Asks the session's owner for a sign of life: its lease is about to expire. */
    void probe();

    /** Reports that the keyspace ended the session: none of its requests will be answered. */
    void expired(SessionExpiredException reason);
}
