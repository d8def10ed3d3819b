package dev.resiliency.store.tcp;

import dev.resiliency.store.StoreException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Arrays;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the server and the clients of a store have in common, and nobody else knows. Each side proves to the other that
 * it knows the secret, without sending it; whoever does not is turned away before anything that it asks is read.
 *
 * <p>It keeps strangers out, and encrypts nothing: who can listen to the network reads what the store is told, and who
 * can change what goes over it may take over a connection. Take bytes from a random source, such as {@code openssl rand
 * -hex 32}: a listener may try likely secrets at leisure.
 */
public final class Secret {
    static final String VARIABLE = "RESILIENCY_STORE_SECRET_FILE";

    private static final Logger log = LoggerFactory.getLogger(Secret.class);
    private static final int MIN_BYTES = 16;

    private final SecretKey key;

    private Secret(byte[] bytes) {
        this.key = new SecretKeySpec(bytes, "HmacSHA256");
    }

    /**
     * The secret of these bytes, which are copied.
     *
     * @throws StoreException if they are fewer than 16
     */
    public static Secret of(byte[] bytes) {
        return checked(bytes, "");
    }

    /**
     * The secret that a file holds, without white space at its beginning and its end. A warning is logged if every user
     * of the machine can read it.
     *
     * @throws StoreException if the file cannot be read or holds fewer than 16 bytes
     */
    public static Secret ofFile(Path file) {
        try {
            byte[] contents = Files.readAllBytes(file);
            warnIfOthersRead(file);
            return checked(strip(contents), " in " + file);
        } catch (IOException failure) {
            throw new StoreException("the secret in '%s' cannot be read: %s".formatted(file, failure), failure);
        }
    }

    /**
     * The secret in the file that the environment variable {@code RESILIENCY_STORE_SECRET_FILE} names; null if it is not set.
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

    private static void warnIfOthersRead(Path file) throws IOException {
        boolean hasPermissions =
                file.getFileSystem().supportedFileAttributeViews().contains("posix");
        if (hasPermissions && Files.getPosixFilePermissions(file).contains(PosixFilePermission.OTHERS_READ)) {
            log.warn("Every user of this machine can read the secret in {}; chmod o-r would prevent that", file);
        }
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

    static @Nullable SecretKey keyOf(@Nullable Secret secret) {
        return secret == null ? null : secret.key;
    }

    /** Says nothing about the secret. */
    @Override
    public String toString() {
        return "Secret";
    }
}
