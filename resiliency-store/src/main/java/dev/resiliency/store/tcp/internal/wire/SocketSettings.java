package dev.resiliency.store.tcp.internal.wire;

import dev.resiliency.store.tcp.Secret;
import dev.resiliency.store.tcp.Tls;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The settings that a client and a server have in common.
 *
 * @param <B> the builder of one of them
 */
public abstract class SocketSettings<B> {
    private String host = "127.0.0.1";
    private int port;
    private String scope = "";
    private Supplier<@Nullable Secret> secret = Secret::fromEnvironment;
    private Supplier<@Nullable Tls> tls = Tls::fromEnvironment;

    /** Rejects a Netty version that this library does not support before one of its classes is used. */
    protected SocketSettings() {
        NettyVersion.check();
    }

    /** Returns this builder. */
    protected abstract B self();

    /** Returns the lowest port that makes sense for this side. */
    protected abstract int lowestPort();

    public B host(String host) {
        this.host = host;
        return self();
    }

    public B port(int port) {
        this.port = Ports.checked(port, lowestPort());
        return self();
    }

    public B scope(String scope) {
        this.scope = scope;
        return self();
    }

    public B secret(@Nullable Secret secret) {
        this.secret = () -> secret;
        return self();
    }

    public B tls(@Nullable Tls tls) {
        this.tls = () -> tls;
        return self();
    }

    protected final String host() {
        return host;
    }

    protected final int port() {
        return port;
    }

    protected final String scope() {
        return scope;
    }

    /** Reads the secret and the settings of TLS, from the environment unless they are set. */
    protected final Credentials credentials() {
        Secret known = secret.get();
        return new Credentials(known == null ? null : known.key(), tls.get());
    }
}
