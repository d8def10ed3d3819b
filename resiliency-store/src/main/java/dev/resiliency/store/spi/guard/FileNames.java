package dev.resiliency.store.spi.guard;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Names of files that stand for texts: two texts never share one.
 *
 * @since 0.1.0
 */
public final class FileNames {
    private static final int LONGEST = 160;
    private static final String SAFE = "._-";
    private static final char ESCAPE = '%';

    private FileNames() {}

    /** Returns the text itself, if that is possible: bytes that are no ASCII letters, digits, or one of {@code ._-} are escaped. */
    public static String of(String text) {
        StringBuilder name = new StringBuilder();
        HexFormat hex = HexFormat.of().withUpperCase();
        ByteBuffer bytes = UTF_8.encode(text);
        while (bytes.hasRemaining()) {
            byte next = bytes.get();
            boolean isHidden = next == '.' && name.isEmpty();
            if (!isHidden && isSafe((char) next)) {
                name.append((char) next);
            } else {
                name.append(ESCAPE).append(hex.toHexDigits(next));
            }
        }
        return name.length() <= LONGEST ? name.toString() : shortened(name.toString());
    }

    private static boolean isSafe(char each) {
        return (each >= 'a' && each <= 'z')
                || (each >= 'A' && each <= 'Z')
                || (each >= '0' && each <= '9')
                || SAFE.indexOf(each) >= 0;
    }

    private static String shortened(String name) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(name.getBytes(UTF_8));
            return name.substring(0, LONGEST / 2)
                    + ESCAPE
                    + ESCAPE
                    + HexFormat.of().formatHex(digest, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }
}
