package dev.resiliency.store.internal;

import dev.resiliency.store.StoreException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What a request waits for. */
interface Wait {

    /** Whether it has happened. If not, the request is listed to be woken when it may have. */
    boolean isOver(Request request);

    /** What the operation that waited results in, once it is over. */
    @Nullable
    Object result();

    /** Takes the request off the list again. */
    void withdraw(Request request);

    /** What to tell who waited in vain. */
    StoreException timeout(Duration timeout);
}
