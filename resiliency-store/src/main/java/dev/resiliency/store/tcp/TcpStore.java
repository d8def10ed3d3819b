package dev.resiliency.store.tcp;

import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.spi.StoreAddress;
import dev.resiliency.store.tcp.internal.client.ClientBuilder;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A session on a {@link TcpStoreServer}, over one connection that all threads share. It calls listeners and completes
 * futures on one thread of its own.
 *
 * <p>When the connection is lost, or the server owes an answer and is silent, the session continues over a new connection:
 * see {@link Builder#reconnectGrace}. Meanwhile requests wait, each within its own limit, and are carried out exactly once;
 * watches report the changes that they missed. The session ends, and {@link #onLost} reports why, when
 * <ul>
 *   <li>the store is unreachable for the grace time, or its server was restarted and has lost its contents ({@link
 *       dev.resiliency.store.StoreLostException});
 *   <li>the store ended the session: its lease expired, or the kernel of the server's host received the end of the
 *       connection, as it does when a process dies. A middlebox that resets the connection on both sides has the same effect
 *       ({@link dev.resiliency.store.SessionExpiredException}).
 * </ul>
 *
 * @since 0.1.0
 */
public interface TcpStore extends SessionStore {

    /** Returns the address that it connected to. */
    @Override
    StoreAddress address();

    /** Returns how the connection is encrypted; null if it is not. For another process that is to use the same store. */
    @Nullable
    Tls tls();

    /** Returns a builder with the defaults. */
    static Builder builder() {
        return new ClientBuilder();
    }

    /** The settings of a client. */
    interface Builder {

        /** The host of the server; 127.0.0.1 by default. */
        Builder host(String host);

        /**
         * The port that the server listens on; required.
         *
         * @throws IllegalArgumentException if it is not from 1 to 65535
         */
        Builder port(int port);

        /** The scope that the server must serve: see {@link TcpStoreServer.Builder#scope}. Empty by default. */
        Builder scope(String scope);

        /**
         * The secret that the server must have as well; null if it has none. By default {@link Secret#fromEnvironment()},
         * read by {@link #connect}.
         */
        Builder secret(@Nullable Secret secret);

        /**
         * The encryption of the connection; null for none. By default {@link Tls#fromEnvironment()}, read by {@link
         * #connect}.
         */
        Builder tls(@Nullable Tls tls);

        /** Names the thread {@code resiliency-store-<name>}; {@code client} by default. */
        Builder name(String name);

        /** The limit of calls that do not name their own; 300 s by default, as PyTorch's. */
        Builder timeout(Duration timeout);

        /** The time for which to keep trying to connect; 60 s by default. */
        Builder connectTimeout(Duration connectTimeout);

        /**
         * The time for which to keep trying to reconnect when the connection is lost or the server is silent; 30 s by
         * default, and for the time of the session's lease if that is longer. Silent: no answer for a tenth of this time, 3 s
         * at most, nor to a probe for as long. If it is zero, the session ends with its connection. The store keeps the
         * session for as long, or for its lease, unless its own kernel received the end of the connection: then the session
         * cannot be resumed.
         *
         * @throws IllegalArgumentException if it is negative, or shorter than 0.1 s and not zero
         */
        Builder reconnectGrace(Duration reconnectGrace);

        /**
         * Connects. Retries until the connect timeout if no server listens yet, or one that still serves another scope.
         *
         * @throws dev.resiliency.store.StoreLostException if there is no connection within the limit
         * @throws dev.resiliency.store.StoreException if client and server speak different versions of the protocol, have
         *     different secrets or do not agree on TLS; if a server of PyTorch's TCPStore answers, which keeps no
         *     sessions; or if a file of the secret or of TLS is unusable
         */
        TcpStore connect() throws InterruptedException;
    }
}
