package dev.resiliency.store.tcp.internal.wire;

import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/**
 * How the two sides of a connection know each other.
 *
 * @param secret what both know; null: nothing
 * @param tls how the connection is encrypted; null: it is not
 */
public record Credentials(
        @Nullable SecretKey secret, @Nullable TlsSettings tls) {
    /** Neither a secret nor TLS. */
    public static final Credentials NONE = new Credentials(null, null);
}
