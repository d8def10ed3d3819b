package dev.resiliency.store.tcp;

import dev.resiliency.store.Operation;
import dev.resiliency.store.Store;
import dev.resiliency.store.StoreAddress;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.tcp.internal.Client;
import dev.resiliency.store.tcp.internal.Credentials;
import dev.resiliency.store.tcp.internal.Endpoint;
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
 * <p>When the connection is lost, so is the session: there is no reconnecting to it.
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
        private String host = "127.0.0.1";
        private int port;
        private String scope = "";
        private Supplier<@Nullable Secret> secret = Secret::fromEnvironment;
        private Supplier<@Nullable Tls> tls = Tls::fromEnvironment;
        private String name = "client";
        private Duration timeout = Duration.ofMinutes(5);
        private Duration connectTimeout = Duration.ofMinutes(1);

        private Builder() {}

        /** Where the server listens; by default 127.0.0.1. */
        public Builder host(String host) {
            this.host = host;
            return this;
        }

        /** The port that the server listens on; there is no default. */
        public Builder port(int port) {
            this.port = port;
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
            Client client = Client.connect(endpoint, credentials, "resiliency-store-" + name, connectTimeout);
            return new TcpStore(client, endpoint, timeout);
        }
    }
}
