package dev.resiliency.launcher.log.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.grpc.Metadata;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.SecretKey;

/** How client and server prove to each other that they know the secret of the job, without sending it. */
final class Proof {
    static final Metadata.Key<String> JOB = key("job");
    /** From the server: what a client is to prove the secret by, on this connection only. */
    static final Metadata.Key<String> CHALLENGE = key("challenge");
    /** From the client: what the server is to prove the secret by. */
    static final Metadata.Key<String> NONCE = key("nonce");

    static final Metadata.Key<String> OF_CLIENT = key("client-proof");
    static final Metadata.Key<String> OF_SERVER = key("server-proof");

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final int RANDOM_BYTES = 16;

    private Proof() {}

    private static Metadata.Key<String> key(String name) {
        return Metadata.Key.of("resiliency-" + name, Metadata.ASCII_STRING_MARSHALLER);
    }

    static String random() {
        byte[] bytes = new byte[RANDOM_BYTES];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    static String ofClient(SecretKey secret, String challenge, String nonce) {
        return hmac(secret, "resiliency log client %s %s".formatted(challenge, nonce));
    }

    static String ofServer(SecretKey secret, String challenge, String nonce) {
        return hmac(secret, "resiliency log server %s %s".formatted(challenge, nonce));
    }

    private static String hmac(SecretKey secret, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(secret);
            return HexFormat.of().formatHex(mac.doFinal(text.getBytes(UTF_8)));
        } catch (GeneralSecurityException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }

    /** Compares in constant time. */
    static boolean isEqual(String expected, String given) {
        return MessageDigest.isEqual(expected.getBytes(UTF_8), given.getBytes(UTF_8));
    }
}
