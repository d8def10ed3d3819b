package dev.resiliency.store.tcp.internal.wire;

import dev.resiliency.store.Value;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Issues the tokens that clients present to resume their sessions over another connection. No one else can guess a
 * token, and a restarted server does not recognize those of its predecessor: so it distinguishes a session that has
 * ended from one that it never had.
 *
 * <pre>
 * token = HMAC-SHA-256(a random key of this server, session i64)
 * </pre>
 *
 * <p>The server's event loop owns it.
 */
public final class SessionTokens {
    private static final int KEY_BYTES = 32;

    private final Mac mac;

    public SessionTokens() {
        byte[] key = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(key);
        try {
            mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java has HmacSHA256", impossible);
        }
    }

    public Value of(long session) {
        return Value.of(
                mac.doFinal(ByteBuffer.allocate(Long.BYTES).putLong(session).array()));
    }

    /** Returns whether this server opened the session and issued the token for it. */
    public boolean isMine(long session, Value token) {
        return Challenge.isSame(of(session), token);
    }
}
