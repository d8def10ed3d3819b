package dev.resiliency.store.spi;

import dev.resiliency.store.tcp.internal.client.SharedLoop;
import java.time.Duration;

/**
 * Clients of stores that share one thread, for programs that simulate many processes: otherwise each client has a thread of
 * its own. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public interface ClientGroup extends AutoCloseable {
    /** Starts a group whose thread is called {@code resiliency-store-} and this name. */
    static ClientGroup create(String name) {
        return SharedLoop.create(name);
    }

    /**
     * Connects a client, with neither secret nor TLS. When it is closed or abandoned, the others go on.
     *
     * @param limit how long to try
     * @param timeout the limit of calls that name none
     * @throws dev.resiliency.store.StoreException if that fails
     * @throws IllegalStateException on the thread of the group, which it would wait for
     */
    SessionStore connect(StoreAddress address, Duration limit, Duration timeout) throws InterruptedException;

    /** Ends the thread, and with it all sessions, as if their processes had died. */
    @Override
    void close();
}
