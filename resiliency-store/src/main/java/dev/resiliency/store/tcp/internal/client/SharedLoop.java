package dev.resiliency.store.tcp.internal.client;

import dev.resiliency.store.spi.ClientGroup;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.spi.StoreAddress;
import dev.resiliency.store.tcp.internal.wire.Credentials;
import dev.resiliency.store.tcp.internal.wire.Endpoint;
import dev.resiliency.store.tcp.internal.wire.Loop;
import dev.resiliency.store.tcp.internal.wire.Transport;
import java.time.Duration;

/**
 * Clients on one event loop.
 *
 * <p>Thread: {@code resiliency-store-} and the name of the clients.
 */
public final class SharedLoop implements ClientGroup {
    private static final Duration RECONNECT_GRACE = Duration.ofSeconds(30);

    private final Transport transport = Transport.best();
    private final Loop loop;

    private SharedLoop(String name) {
        loop = transport.newLoop("resiliency-store-" + name);
    }

    @Override
    public SessionStore connect(StoreAddress address, Duration limit, Duration timeout) throws InterruptedException {
        if (loop.eventLoop().inEventLoop()) {
            throw new IllegalStateException(
                    "connect waits for the thread of the group, so it must not be called there");
        }
        return Client.connect(
                new Endpoint(address), Credentials.NONE, transport, loop, () -> {}, limit, RECONNECT_GRACE, timeout);
    }

    @Override
    public void close() {
        loop.stop();
    }

    /** See {@link ClientGroup#create}. */
    public static ClientGroup create(String name) {
        return new SharedLoop(name);
    }
}
