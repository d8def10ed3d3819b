package dev.resiliency.store.tcp.internal.client;

import dev.resiliency.store.spi.StoreAddress;
import dev.resiliency.store.tcp.TcpStore;
import dev.resiliency.store.tcp.internal.wire.Endpoint;
import dev.resiliency.store.tcp.internal.wire.SocketSettings;
import java.time.Duration;

/**
 * Connects clients.
 *
 * <p>Threads: an event loop each, which completes futures and calls listeners until the store is closed: {@code
 * resiliency-store-r3} in a rank, {@code resiliency-store-monitor-r3} in its monitor process, {@code
 * resiliency-store-agent} and {@code resiliency-store-agent-job} in an agent.
 */
public final class ClientBuilder extends SocketSettings<TcpStore.Builder> implements TcpStore.Builder {
    private static final Duration SHORTEST_GRACE = Duration.ofMillis(100);

    private String name = "client";
    private Duration timeout = Duration.ofMinutes(5);
    private Duration connectTimeout = Duration.ofMinutes(1);
    private Duration reconnectGrace = Duration.ofSeconds(30);

    @Override
    protected TcpStore.Builder self() {
        return this;
    }

    @Override
    protected int lowestPort() {
        return 1;
    }

    @Override
    public TcpStore.Builder name(String name) {
        this.name = name;
        return this;
    }

    @Override
    public TcpStore.Builder timeout(Duration timeout) {
        this.timeout = timeout;
        return this;
    }

    @Override
    public TcpStore.Builder connectTimeout(Duration connectTimeout) {
        this.connectTimeout = connectTimeout;
        return this;
    }

    @Override
    public TcpStore.Builder reconnectGrace(Duration reconnectGrace) {
        if (!reconnectGrace.isZero() && reconnectGrace.compareTo(SHORTEST_GRACE) < 0) {
            throw new IllegalArgumentException(
                    "reconnectGrace is " + reconnectGrace + ", and must be zero or at least " + SHORTEST_GRACE);
        }
        this.reconnectGrace = reconnectGrace;
        return this;
    }

    @Override
    public TcpStore connect() throws InterruptedException {
        Endpoint endpoint = new Endpoint(new StoreAddress(host(), port(), scope()));
        return Client.connect(
                endpoint, credentials(), "resiliency-store-" + name, connectTimeout, reconnectGrace, timeout);
    }
}
