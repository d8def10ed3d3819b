package dev.resiliency.store.tcp.internal.wire;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.store.Value;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.SecretKey;

/**
 * The challenge with which both sides of a connection prove that they know the secret. Each side chooses a nonce, so
 * that a proof is worthless on any other connection.
 *
 * <pre>
 * proof = HMAC-SHA-256(secret, "RSLY", role: 'C' client or 'S' server, client nonce, server nonce, scope)
 * </pre>
 *
 * <p>The role prevents a proof from being reflected to the side that it came from.
 */
public record Challenge(Value clientNonce, Value serverNonce, String scope) {
    public static final int NONCE_BYTES = 32;

    private static final SecureRandom RANDOM = new SecureRandom();

    public Challenge {
        // All parts but the last have a fixed length, so no two challenges give the same bytes.
        check(clientNonce);
        check(serverNonce);
    }

    private static void check(Value nonce) {
        if (nonce.size() != NONCE_BYTES) {
            throw new ProtocolException("a nonce has %d bytes".formatted(nonce.size()));
        }
    }

    public static Value newNonce() {
        byte[] nonce = new byte[NONCE_BYTES];
        RANDOM.nextBytes(nonce);
        return Value.of(nonce);
    }

    public Value clientProof(SecretKey secret) {
        return proof(secret, "RSLYC");
    }

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
