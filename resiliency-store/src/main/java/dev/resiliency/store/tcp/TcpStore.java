package dev.resiliency.store.tcp;

import dev.resiliency.store.Store;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.emulation.FallbackStore;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.StoreAddress;
import dev.resiliency.store.tcp.internal.client.Client;
import dev.resiliency.store.tcp.internal.client.Endpoint;
import dev.resiliency.store.tcp.internal.pytorch.PyTorchClient;
import dev.resiliency.store.tcp.internal.wire.Credentials;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A session on a {@link TcpStoreServer}, over one connection that all threads share. It has one thread of its own, on
 * which listeners are called and futures completed.
 *
 * <p>When the connection is lost, or the server is silent although it owes an answer, the session goes on over another:
 * see {@link Builder#reconnectGrace}. Requests wait meanwhile, each within its own limit, and are carried out once;
 * watches are told of what they missed. The session is over, and {@link #onLost} tells why, when
 * <ul>
 *   <li>there is no reaching the store within the grace time, or its server was started anew and holds nothing any more
 *       ({@link dev.resiliency.store.StoreLostException});
 *   <li>the store has ended the session: its lease ran out, or the kernel of the server's host heard that the connection
 *       was closed, as it is when a process dies. Something between the two that resets a connection on both sides does
 *       the same ({@link dev.resiliency.store.SessionExpiredException}).
 * </ul>
 */
public final class TcpStore implements Store {
    private final Client client;
    private final Endpoint endpoint;
    private final Duration timeout;

    private TcpStore(Client client, Endpoint endpoint, Duration timeout) {
        this.client = client;
        this.endpoint = endpoint;
        this.timeout = timeout;
    }

    /** A client with the defaults, to be changed and {@linkplain Builder#connect() connected}. */
    public static Builder builder() {
        return new Builder();
    }

    @Override
    public CompletableFuture<List<@Nullable Object>> submit(List<? extends Operation<?>> operations, Duration timeout) {
        return client.submit(List.copyOf(operations), timeout);
    }

    @Override
    public void send(List<? extends Operation<?>> operations) {
        client.send(List.copyOf(operations));
    }

    @Override
    public void onLost(Consumer<? super StoreException> listener) {
        client.onLost(listener);
    }

    @Override
    public Duration timeout() {
        return timeout;
    }

    @Override
    public long session() {
        return client.session();
    }

    @Override
    public StoreAddress address() {
        return endpoint.address();
    }

    @Override
    public void close() {
        client.close();
    }

    /** Closes the connection without a goodbye, as the kernel does for a process that dies. */
    void abandon() {
        client.abandon();
    }

    @Override
    public String toString() {
        return "TcpStore(" + endpoint + ")";
    }

    /** What a client is made with. */
    public static final class Builder {
        private static final Duration SHORTEST_GRACE = Duration.ofMillis(100);

        private String host = "127.0.0.1";
        private int port;
        private String scope = "";
        private Supplier<@Nullable Secret> secret = Secret::fromEnvironment;
        private Supplier<@Nullable Tls> tls = Tls::fromEnvironment;
        private String name = "client";
        private Duration timeout = Duration.ofMinutes(5);
        private Duration connectTimeout = Duration.ofMinutes(1);
        private Duration reconnectGrace = Duration.ofSeconds(10);

        private Builder() {}

        /** Where the server listens; by default 127.0.0.1. */
        public Builder host(String host) {
            this.host = host;
            return this;
        }

        /**
         * The port that the server listens on; there is no default.
         *
         * @throws IllegalArgumentException if it is not from 1 to 65535
         */
        public Builder port(int port) {
            this.port = Ports.checked(port, 1);
            return this;
        }

        /** What the server must serve: see {@link TcpStoreServer.Builder#scope}. By default empty. */
        public Builder scope(String scope) {
            this.scope = scope;
            return this;
        }

        /**
         * What the server must have as well; null: neither has one. By default {@link Secret#fromEnvironment()}, read when
         * connecting.
         */
        public Builder secret(@Nullable Secret secret) {
            this.secret = () -> secret;
            return this;
        }

        /**
         * How the connection is encrypted; null: it is not. By default {@link Tls#fromEnvironment()}, read when
         * connecting.
         */
        public Builder tls(@Nullable Tls tls) {
            this.tls = () -> tls;
            return this;
        }

        /** Names the thread {@code resiliency-store-<name>}; by default {@code client}. */
        public Builder name(String name) {
            this.name = name;
            return this;
        }

        /** The limit of calls that do not name their own; by default 300 s, as PyTorch's. */
        public Builder timeout(Duration timeout) {
            this.timeout = timeout;
            return this;
        }

        /** How long to try to connect; by default 60 s. */
        public Builder connectTimeout(Duration connectTimeout) {
            this.connectTimeout = connectTimeout;
            return this;
        }

        /**
         * How long to try to get another connection when the first is lost, or the server is silent; by default 10 s.
         * Zero: the session ends with its connection. The store keeps the session for as long, or for its lease, unless
         * its own kernel was told that the connection has ended: then nobody can come back to it.
         *
         * @throws IllegalArgumentException if it is negative, or shorter than 0.1 s and not zero
         */
        public Builder reconnectGrace(Duration reconnectGrace) {
            if (!reconnectGrace.isZero() && reconnectGrace.compareTo(SHORTEST_GRACE) < 0) {
                throw new IllegalArgumentException(
                        "reconnectGrace is " + reconnectGrace + ", and must be zero or at least " + SHORTEST_GRACE);
            }
            this.reconnectGrace = reconnectGrace;
            return this;
        }

        /**
         * Connects. A server that is not there yet, or still serves another scope, is tried again until the time is
         * over.
         *
         * @throws dev.resiliency.store.StoreLostException if there is no connection within the limit
         * @throws StoreException if client and server speak different versions of the protocol, do not have the same
         *     secret or do not agree on TLS; or if a file of the secret or TLS cannot be used
         */
        public TcpStore connect() throws InterruptedException {
            Endpoint endpoint = new Endpoint(new StoreAddress(host, port, scope));
            Credentials credentials = new Credentials(Secret.keyOf(secret.get()), Tls.settingsOf(tls.get()));
            Client client =
                    Client.connect(endpoint, credentials, "resiliency-store-" + name, connectTimeout, reconnectGrace);
            return new TcpStore(client, endpoint, timeout);
        }

        /**
         * Connects to a server of PyTorch's TCPStore (its libuv protocol, as of PyTorch 2.10) instead. It knows none of
         * what this store does beyond PyTorch's verbs, so its clients build that themselves: {@link FallbackStore} says
         * what is different then. A key {@code k} is what PyTorch's clients call {@code k}, too.
         *
         * @throws dev.resiliency.store.StoreLostException if there is no connection within the limit
         * @throws StoreException if there is a {@link #secret} or {@link #tls}, of which such a server knows nothing
         */
        public FallbackStore connectToPyTorch() throws InterruptedException {
            if (secret.get() != null || tls.get() != null) {
                throw new StoreException(
                        ("the store at %s:%d is to be PyTorch's, which can prove no secret and speaks no TLS:"
                                        + " if it is to be trusted all the same, say secret(null) and tls(null)")
                                .formatted(host, port));
            }
            Endpoint endpoint = new Endpoint(new StoreAddress(host, port, "", StoreAddress.Protocol.PYTORCH));
            return FallbackStore.builder(PyTorchClient.connect(endpoint, connectTimeout))
                    .name(name)
                    .timeout(timeout)
                    .build();
        }
    }
}
