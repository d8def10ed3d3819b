package dev.resiliency.store.tcp.internal.client;

import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Makes connections to one server, on one event loop. */
interface Dialer {

    /** On which it works and completes its futures. */
    EventLoop eventLoop();

    /**
     * Connects, with as many attempts as it takes. The future fails with a
     * {@link dev.resiliency.store.StoreLostException} if there is no connection within the limit, and with another
     * {@link dev.resiliency.store.StoreException} if it does not help to try again; cancelling it ends the attempts.
     */
    CompletableFuture<ClientConnection> dial(TimeLimits limits);

    /**
     * How long to try.
     *
     * @param total in all
     * @param attempt for each attempt
     * @param refusals in all, if the host answers that nobody listens
     */
    record TimeLimits(Duration total, Duration attempt, Duration refusals) {}

    static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
