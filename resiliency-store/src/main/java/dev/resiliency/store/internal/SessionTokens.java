package dev.resiliency.store.internal;

import dev.resiliency.store.Value;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Issues the tokens that clients present to resume their sessions over another connection, and to renew the lease of a
 * session from another one. No one else can guess a token, and a restarted server does not recognize those of its
 * predecessor: so it distinguishes a session that has ended from one that it never had.
 *
 * <pre>
 * token = HMAC-SHA-256(a random key of this server, session i64)
 * </pre>
 *
 * <p>Not thread-safe: the keyspace owns it.
 */
final class SessionTokens {
    private static final int KEY_BYTES = 32;

    private final Mac mac;

    SessionTokens() {
        byte[] key = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(key);
        try {
            mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java has HmacSHA256", impossible);
        }
    }

    Value of(long session) {
        return Value.of(
                mac.doFinal(ByteBuffer.allocate(Long.BYTES).putLong(session).array()));
    }

    /** Returns whether this keyspace opened the session and issued the token for it. */
    boolean isMine(long session, Value token) {
        return MessageDigest.isEqual(of(session).bytes(), token.bytes());
    }
}
