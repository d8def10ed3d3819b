package dev.resiliency.store.tcp.internal.client;

import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Makes connections to one server, on one event loop. */
interface Dialer {

    /** Returns the event loop on which it works and completes its futures. */
    EventLoop eventLoop();

    /**
     * Connects, retrying as often as needed. The future fails with a {@link dev.resiliency.store.StoreLostException} if
     * there is no connection within the limit, and with another {@link dev.resiliency.store.StoreException} if retrying
     * is pointless; cancelling it ends the attempts.
     */
    CompletableFuture<ClientConnection> dial(TimeLimits limits);

    /**
     * The time limits of connecting.
     *
     * @param total of all attempts together
     * @param attempt of each attempt
     * @param refusals of all attempts together, as long as the host refuses connections
     */
    record TimeLimits(Duration total, Duration attempt, Duration refusals) {}

    static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
