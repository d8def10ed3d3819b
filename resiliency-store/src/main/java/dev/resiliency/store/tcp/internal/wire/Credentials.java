package dev.resiliency.store.tcp.internal.wire;

import dev.resiliency.store.tcp.Tls;
import javax.crypto.SecretKey;
import org.jspecify.annotations.Nullable;

/**
 * The means by which the two sides of a connection authenticate each other.
 *
 * @param secret the secret that both share; null: none
 * @param tls how the connection is encrypted; null: it is not
 */
public record Credentials(
        @Nullable SecretKey secret, @Nullable Tls tls) {
    /** Neither a secret nor TLS. */
    public static final Credentials NONE = new Credentials(null, null);
}
