package dev.resiliency.store.spi;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.store.Value;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.SecretKey;

/**
 * The challenge with which both sides of a connection prove that they know a secret. Each side chooses a nonce, so that a
 * proof is worthless on any other connection. For the connections of a store, and for those that ranks open to each other
 * with its {@linkplain SessionStore#secret secret}.
 *
 * <pre>
 * proof = HMAC-SHA-256(secret, "RSLY", role: 'C' client or 'S' server, client nonce, server nonce, scope)
 * </pre>
 *
 * <p>The role prevents a proof from being reflected to the side that it came from, and the scope keeps the purposes of connections apart.
 *
 * @param clientNonce {@value #NONCE_BYTES} random bytes that the client chose
 * @param serverNonce as many that the server chose
 * @param scope what the connection is for
 * @since 0.1.0
 */
public record Challenge(Value clientNonce, Value serverNonce, String scope) {
    /** The size of a nonce. */
    public static final int NONCE_BYTES = 32;

    private static final SecureRandom RANDOM = new SecureRandom();

    /**
     * Creates the challenge of one connection.
     *
     * @throws IllegalArgumentException if a nonce has another size than {@link #NONCE_BYTES}
     */
    public Challenge {
        // All parts but the last have a fixed length, so no two challenges give the same bytes.
        check(clientNonce);
        check(serverNonce);
    }

    private static void check(Value nonce) {
        if (nonce.size() != NONCE_BYTES) {
            throw new IllegalArgumentException("a nonce has %d bytes".formatted(nonce.size()));
        }
    }

    /** Returns a random nonce. */
    public static Value newNonce() {
        byte[] nonce = new byte[NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        return Value.of(nonce);
    }

    /** Returns the proof that the client sends. */
    public Value clientProof(SecretKey secret) {
        return proof(secret, "RSLYC");
    }

    /** Returns the proof that the server sends. */
    public Value serverProof(SecretKey secret) {
        return proof(secret, "RSLYS");
    }

    /** Compares in constant time, which does not reveal how much of a guess was right. */
    public static boolean isSame(Value expected, Value actual) {
        return MessageDigest.isEqual(expected.bytes(), actual.bytes());
    }

    private Value proof(SecretKey secret, String role) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(secret);
            mac.update(role.getBytes(UTF_8));
            mac.update(clientNonce.bytes());
            mac.update(serverNonce.bytes());
            return Value.of(mac.doFinal(scope.getBytes(UTF_8)));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("every Java has HmacSHA256", impossible);
        }
    }
}
