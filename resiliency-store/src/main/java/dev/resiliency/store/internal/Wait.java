package dev.resiliency.store.internal;

import dev.resiliency.store.StoreException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The condition that a request waits for. */
interface Wait {

    /** Returns whether it holds. If not, lists the request to be woken when it may. */
    boolean endOrEnlist(Request request);

    /** Returns the result of the operation once the wait is over. */
    @Nullable
    Object result();

    /** Removes the request from the list. */
    void withdraw(Request request);

    /** Returns the exception for a request whose time is over. */
    StoreException timeout(Duration timeout);
}
