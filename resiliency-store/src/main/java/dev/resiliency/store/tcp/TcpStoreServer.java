package dev.resiliency.store.tcp;

import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreLimit;
import dev.resiliency.store.internal.Limits;
import dev.resiliency.store.tcp.internal.server.Server;
import dev.resiliency.store.tcp.internal.server.ServerSettings;
import dev.resiliency.store.tcp.internal.server.Statistics;
import dev.resiliency.store.tcp.internal.wire.Credentials;
import dev.resiliency.store.tcp.internal.wire.TlsSettings;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves a store, which begins empty and ends with the server. One process of a job runs it, and all connect with a
 * {@link TcpStore}.
 *
 * <p>It has one thread of its own and keeps everything in memory.
 */
public final class TcpStoreServer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(TcpStoreServer.class);

    private final Server server;
    private final String host;

    private TcpStoreServer(Server server, String host) {
        this.server = server;
        this.host = host;
    }

    /** A server with the defaults, to be changed and {@linkplain Builder#start() started}. */
    public static Builder builder() {
        return new Builder();
    }

    /** The address that it listens on, as it was given. */
    public String host() {
        return host;
    }

    /** The port that it listens on; never 0. */
    public int port() {
        return server.port();
    }

    /** What it has to do at the moment; null if it has been closed. */
    @Nullable
    Statistics statistics() throws InterruptedException {
        return server.statistics();
    }

    /** Closes at once: {@link #close(Duration)} without grace. */
    @Override
    public void close() {
        close(Duration.ZERO);
    }

    /**
     * Goes on serving until the last client has gone, and closes then: clients that lose their connection meanwhile may
     * come back, and new ones may come. Waits for that; a thread that is interrupted closes at once. Nothing if it has
     * been closed.
     *
     * @param patience how long to wait at least, for clients that are still to come
     */
    public void closeWhenUnused(Duration patience) {
        server.closeWhenUnused(patience);
    }

    /**
     * Stops accepting clients, waits for at most {@code grace} until all have said goodbye, then closes what is left.
     * No last will is carried out for clients that this cuts off. An interrupt ends the wait. Later calls do nothing.
     */
    public void close(Duration grace) {
        server.close(grace);
    }

    @Override
    public String toString() {
        return "TcpStoreServer(" + host + ":" + port() + ")";
    }

    /** What a server is made with. */
    public static final class Builder {
        private static final String INSECURE_VARIABLE = "RESILIENCY_STORE_INSECURE";
        private static final String PYTORCH_BESIDE_SECRET =
                "store server: PyTorch's clients can prove no secret, so they would get past the one that this server has."
                        + " Leave out either pytorch(true) (--pytorch) or the secret, or say pytorchBesideSecret(true)"
                        + " (--pytorch-beside-secret) if the secret is to keep nobody out";

        private static final String PYTORCH_BESIDE_TLS =
                "store server: PyTorch's clients speak no TLS; leave out either pytorch(true) (--pytorch) or tls(...)";

        private static final long HUGE = 1L << 60; // as good as no limit, and a sum of two does not overflow
        private static final int FRAME_OVERHEAD_BYTES = 64; // of a frame that has one value and its key, at most

        private String host = "127.0.0.1";
        private int port;
        private String scope = "";
        private Supplier<@Nullable Secret> secret = Secret::fromEnvironment;
        private boolean pytorch;
        private boolean pytorchBesideSecret;
        private Supplier<@Nullable Tls> tls = Tls::fromEnvironment;
        private final Map<StoreLimit, Long> limits = new EnumMap<>(StoreLimit.class);
        private boolean insecure = "1".equals(System.getenv(INSECURE_VARIABLE));

        private Builder() {}

        /** The address to listen on; by default 127.0.0.1, which only this machine reaches. */
        public Builder host(String host) {
            this.host = host;
            return this;
        }

        /**
         * The port to listen on; by default 0, any that is free.
         *
         * @throws IllegalArgumentException if it is not from 0 to 65535
         */
        public Builder port(int port) {
            this.port = Ports.checked(port, 0);
            return this;
        }

        /**
         * Which clients it serves: those that want the same scope. By default empty. With a scope for each job, and for
         * each of its starts, nobody talks to a server that happens to listen on the same port.
         */
        public Builder scope(String scope) {
            this.scope = scope;
            return this;
        }

        /**
         * What clients must have as well; null: everybody who reaches the address may use the store. By default
         * {@link Secret#fromEnvironment()}, read when the server starts.
         */
        public Builder secret(@Nullable Secret secret) {
            this.secret = () -> secret;
            return this;
        }

        /**
         * How connections are encrypted, all of them; null: none is. It needs a {@linkplain Tls#certificate certificate}.
         * By default {@link Tls#fromEnvironment()}, read when the server starts.
         */
        public Builder tls(@Nullable Tls tls) {
            this.tls = () -> tls;
            return this;
        }

        /**
         * Whether a server with neither a secret nor TLS may listen on an address beyond this machine, for everybody who
         * reaches it; by default false, unless the environment variable {@code RESILIENCY_STORE_INSECURE} is 1. What is
         * wanted of clients is wanted whatever this says.
         */
        public Builder insecure(boolean insecure) {
            this.insecure = insecure;
            return this;
        }

        /**
         * Whether clients of PyTorch's TCPStore (its libuv protocol, as of PyTorch 2.5) may connect as well, on the same
         * port and to the same keys; by default false. They name no {@link #scope} and can prove no {@link #secret}, so
         * a server with a secret refuses to start with this, unless {@link #pytorchBesideSecret} is true.
         */
        public Builder pytorch(boolean pytorch) {
            this.pytorch = pytorch;
            return this;
        }

        /**
         * Whether {@link #pytorch} lets clients in that cannot prove the secret: the secret then keeps nobody out who
         * reaches the address. By default false.
         */
        public Builder pytorchBesideSecret(boolean pytorchBesideSecret) {
            this.pytorchBesideSecret = pytorchBesideSecret;
            return this;
        }

        /**
         * How much of something it takes; {@link StoreLimit} has the defaults. The largest value with its key must fit
         * into a frame: who changes one of these limits may have to change another.
         *
         * @throws IllegalArgumentException if {@code value} is less than 1
         */
        public Builder limit(StoreLimit limit, long value) {
            if (value < 1) {
                throw new IllegalArgumentException("%s must be 1 or more, not %d".formatted(limit, value));
            }
            limits.put(limit, value);
            return this;
        }

        /**
         * Starts the server.
         *
         * @throws StoreException if the address is unknown or in use, or may be reached by other machines without a
         *     {@link #secret}, {@link #tls} or {@link #insecure}; if a file of the secret or TLS cannot be used; if
         *     {@link #pytorch} is to let clients in that can do neither; or if the largest value does not fit into a frame
         */
        public TcpStoreServer start() throws InterruptedException {
            String address = host + ":" + port;
            Limits checked = checked(Limits.of(limits));
            try {
                InetAddress resolved = InetAddress.getByName(host);
                Secret known = secret.get();
                TlsSettings encryption = Tls.settingsOf(tls.get());
                if (!resolved.isLoopbackAddress() && known == null && encryption == null && !insecure) {
                    throw new StoreException(refusal(address));
                }
                if (pytorch && encryption != null) {
                    throw new StoreException(PYTORCH_BESIDE_TLS);
                }
                if (pytorch && known != null && !pytorchBesideSecret) {
                    throw new StoreException(PYTORCH_BESIDE_SECRET);
                }
                Credentials credentials = new Credentials(Secret.keyOf(known), encryption);
                ServerSettings settings = new ServerSettings(scope, credentials, pytorch, checked);
                Server server = Server.start(new InetSocketAddress(resolved, port), settings);
                log.debug("Store listens on {}:{}", host, server.port());
                return new TcpStoreServer(server, host);
            } catch (UnknownHostException unknown) {
                throw new StoreException("store server: the host %s is unknown".formatted(host), unknown);
            } catch (IOException failure) {
                throw new StoreException(bindFailure(address, failure), failure);
            }
        }

        /** Who watches a key is told of its value in one frame. */
        private static Limits checked(Limits limits) {
            long key = limits.of(StoreLimit.KEY_BYTES);
            long value = limits.of(StoreLimit.VALUE_BYTES);
            long frame = limits.of(StoreLimit.FRAME_BYTES);
            long needed = Math.min(key, HUGE) + Math.min(value, HUGE) + FRAME_OVERHEAD_BYTES;
            if (frame < needed) {
                throw new StoreException(
                        ("store server: %s is %d, and must be %d or more, so that a value of %d bytes (%s) under a key"
                                        + " of %d bytes (%s) fits in; raise it or lower these")
                                .formatted(
                                        StoreLimit.FRAME_BYTES,
                                        frame,
                                        needed,
                                        value,
                                        StoreLimit.VALUE_BYTES,
                                        key,
                                        StoreLimit.KEY_BYTES));
            }
            return limits;
        }

        private static String refusal(String address) {
            return ("store server: %s can be reached from other machines, and whoever reaches it may read and write the"
                            + " store. Either listen on a loopback address such as 127.0.0.1, or give the server and its"
                            + " clients a secret, in a file that %s names or with secret(...), or encrypt with TLS, whose"
                            + " files %s, %s and %s name or tls(...), or, if the network is trusted, say so with"
                            + " insecure(true) or %s=1")
                    .formatted(
                            address,
                            Secret.VARIABLE,
                            Tls.CERTIFICATE_VARIABLE,
                            Tls.KEY_VARIABLE,
                            Tls.TRUST_VARIABLE,
                            INSECURE_VARIABLE);
        }

        private static String bindFailure(String address, IOException failure) {
            String message = String.valueOf(failure.getMessage());
            return message.contains("in use")
                    ? "store server: %s is in use; end what listens there, or take another port, or 0 for any that is free"
                            .formatted(address)
                    : "store server: cannot listen on %s: %s".formatted(address, message);
        }
    }
}
