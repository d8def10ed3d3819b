package dev.resiliency.store.tcp;

import dev.resiliency.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A secret that the server and the clients of a store share. Each side proves to the other that it knows the secret, without
 * sending it; the server rejects a client that does not before it reads any request.
 *
 * <p>It authenticates, and encrypts nothing: an eavesdropper reads all traffic, and whoever can modify the traffic may take
 * over a connection. Use bytes from a random source, such as {@code openssl rand -hex 32}: an eavesdropper can try likely
 * secrets offline.
 *
 * @since 0.1.0
 */
public final class Secret {
    /** The environment variable that names the file of the secret. */
    public static final String VARIABLE = "RESILIENCY_STORE_SECRET_FILE";

    private static final Logger LOG = LoggerFactory.getLogger(Secret.class);
    private static final int MIN_BYTES = 16;

    private final SecretKey key;

    private Secret(byte[] bytes) {
        this.key = new SecretKeySpec(bytes, "HmacSHA256");
    }

    /**
     * Returns the secret of these bytes, which it copies.
     *
     * @throws StoreException if they are fewer than 16
     */
    public static Secret of(byte[] bytes) {
        return checked(bytes, "");
    }

    /**
     * Returns the secret in a file, without white space at its beginning and end. Logs a warning if every user of the
     * machine can read the file, or its group can write it.
     *
     * @throws StoreException if the file cannot be read, holds fewer than 16 bytes, or can be written by every user of the
     *     machine
     */
    public static Secret ofFile(Path file) {
        try {
            byte[] contents = Files.readAllBytes(file);
            PrivateFile.check(file, "the secret", LOG);
            return checked(strip(contents), " in " + file);
        } catch (IOException failure) {
            throw new StoreException("the secret in '%s' cannot be read: %s".formatted(file, failure), failure);
        }
    }

    /**
     * Returns the secret in the file that the environment variable {@code RESILIENCY_STORE_SECRET_FILE} names; null if it is
     * not set.
     *
     * @throws StoreException as {@link #ofFile}
     */
    public static @Nullable Secret fromEnvironment() {
        String file = System.getenv(VARIABLE);
        return file == null ? null : ofFile(Path.of(file));
    }

    private static Secret checked(byte[] bytes, String where) {
        if (bytes.length < MIN_BYTES) {
            throw new StoreException("the secret%s has %d bytes; it needs at least %d, from a random source"
                    .formatted(where, bytes.length, MIN_BYTES));
        }
        return new Secret(bytes);
    }

    private static byte[] strip(byte[] contents) {
        int start = 0;
        int end = contents.length;
        while (start < end && Character.isWhitespace(contents[start])) {
            start++;
        }
        while (end > start && Character.isWhitespace(contents[end - 1])) {
            end--;
        }
        return Arrays.copyOfRange(contents, start, end);
    }

    /** Returns the key with which each side proves that it knows the secret. */
    public SecretKey key() {
        return key;
    }

    /** Returns a text that does not reveal the secret. */
    @Override
    public String toString() {
        return "Secret";
    }
}
