package dev.resiliency.store.tcp;

import dev.resiliency.store.spi.StoreFigures;
import dev.resiliency.store.spi.StoreLimit;
import dev.resiliency.store.tcp.internal.server.ServerBuilder;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Serves a store, which starts empty and ends with the server. One process of a job runs it, and all connect with a {@link
 * TcpStore}.
 *
 * <p>It has one thread of its own and keeps everything in memory.
 *
 * @since 0.1.0
 */
public interface TcpStoreServer extends AutoCloseable {

    /** Returns a builder with the defaults. */
    static Builder builder() {
        return new ServerBuilder();
    }

    /** Returns the address that it listens on, as given to the builder. */
    String host();

    /** Returns the port that it listens on; never 0. */
    int port();

    /**
     * Returns the current load of this server; null if it is closed. Waits for its thread.
     *
     * @throws InterruptedException if the thread of the caller is interrupted meanwhile
     */
    @Nullable
    StoreFigures figures() throws InterruptedException;

    /** Closes at once: {@link #close(Duration)} without grace. */
    @Override
    void close();

    /**
     * Serves until the last client has left, then closes: clients that lose their connection meanwhile may reconnect, and
     * new ones may connect. Blocks until then; an interrupt closes at once. Does nothing if it is closed.
     *
     * @param patience how long to wait at least, for clients that have not connected yet
     */
    void closeWhenUnused(Duration patience);

    /**
     * Stops accepting clients, waits for at most {@code grace} until all have said goodbye, then closes the remaining
     * connections. It carries out no last wills of clients that it disconnects. An interrupt ends the wait. Later calls do
     * nothing.
     */
    void close(Duration grace);

    /** The settings of a server. */
    interface Builder {

        /** The address to listen on; 127.0.0.1 by default, which only this machine can reach. */
        Builder host(String host);

        /**
         * The port to listen on; 0 by default, any free one.
         *
         * @throws IllegalArgumentException if it is not from 0 to 65535
         */
        Builder port(int port);

        /**
         * The clients to serve: those that ask for the same scope. Empty by default. With a scope for each job and each
         * run of it, no client talks to a foreign server that happens to listen on the same port.
         */
        Builder scope(String scope);

        /**
         * The secret that clients must have as well; null: everybody who reaches the address may use the store. By default
         * {@link Secret#fromEnvironment()}, read by {@link #start}.
         */
        Builder secret(@Nullable Secret secret);

        /**
         * The encryption of all connections; null for none. It needs a {@linkplain Tls#certificate certificate}. By
         * default {@link Tls#fromEnvironment()}, read by {@link #start}.
         */
        Builder tls(@Nullable Tls tls);

        /**
         * Sets whether a server with neither a secret nor TLS with a {@linkplain Tls#trust trust} may listen on an address
         * that other machines reach, and serve everybody; false by default, unless the environment variable {@code RESILIENCY_STORE_INSECURE} is 1. It
         * waives no requirement that {@link #secret} or {@link #tls} make of clients.
         */
        Builder insecure(boolean insecure);

        /**
         * Sets whether clients of PyTorch's TCPStore (its libuv protocol, as of PyTorch 2.5) may connect as well, on
         * the same port and to the same keys; false by default. They name no {@link #scope} and cannot prove a {@link
         * #secret}, so a server with a secret refuses to start with this, unless {@link #pytorchBesideSecret} is true.
         */
        Builder pytorch(boolean pytorch);

        /**
         * Sets whether {@link #pytorch} admits clients although they cannot prove the secret, which then protects
         * nothing from whoever reaches the address. False by default.
         */
        Builder pytorchBesideSecret(boolean pytorchBesideSecret);

        /**
         * Sets for how long the process of this server may stand still, as when it is suspended: after that it ends all sessions and
         * starts anew, empty. Its clients may have gone on with another server by then, and nobody must go on with this one beside
         * them. By default it keeps what it has.
         *
         * @throws IllegalArgumentException if {@code limit} is not positive
         */
        Builder standstill(Duration limit);

        /**
         * Changes a limit; {@link StoreLimit} lists the defaults. The largest value must fit into a frame together with
         * its key, so some limits must be changed together.
         *
         * @throws IllegalArgumentException if {@code value} is less than 1
         */
        Builder limit(StoreLimit limit, long value);

        /**
         * Starts the server.
         *
         * @throws dev.resiliency.store.StoreException if the address is unknown or in use, or other machines can reach it
         *     and there is no {@link #secret}, {@link #tls} with a trust, or {@link #insecure}; if a file of the secret or of TLS is
         *     unusable; if {@link #pytorch} would admit clients that support neither; or if the largest value does not
         *     fit into a frame
         */
        TcpStoreServer start() throws InterruptedException;
    }
}
