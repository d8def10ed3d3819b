package dev.resiliency.store.internal;

import dev.resiliency.store.Change;
import dev.resiliency.store.SessionExpiredException;
import dev.resiliency.store.StoreException;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Where a keyspace puts what it has to say to one session, in order. It is called in the middle of a step: it must not
 * throw, block or call the keyspace back.
 */
public interface SessionOutput {

    /** The request succeeded with these results. */
    void reply(long request, List<@Nullable Object> results);

    /** The request failed. */
    void fail(long request, StoreException failure);

    /** A key that the session watches changed. */
    void tell(Consumer<? super Change> listener, Change change);

    /** The keyspace ended the session: none of its requests is answered any more. */
    void expired(SessionExpiredException reason);
}
