package dev.resiliency.launcher.log;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * Writes the name of a node where not all characters may stand, as in the name of a file: others become {@code %} and their bytes
 * in UTF-8, so two names that differ stay different.
 */
public final class EncodedName {
    private static final int LONGEST = 128;
    private static final int DIGEST_BYTES = 8;

    /** What an empty name becomes. No other name becomes this, as hexadecimal digits follow each of their {@code %}. */
    private static final String UNNAMED = "%unnamed";

    private EncodedName() {}

    /**
     * Encodes a name.
     *
     * @param allowed the characters that stay as they are; never {@code %}
     */
    public static String of(String name, Pattern allowed) {
        StringBuilder encoded = new StringBuilder();
        name.codePoints().forEach(code -> {
            String character = Character.toString(code);
            if (code != '%' && allowed.matcher(character).matches()) {
                encoded.append(character);
            } else {
                for (byte each : character.getBytes(UTF_8)) {
                    encoded.append('%').append(HexFormat.of().withUpperCase().toHexDigits(each));
                }
            }
        });
        if (encoded.length() > LONGEST) {
            String rest = "%-" + digest(name);
            return encoded.substring(0, LONGEST - rest.length()) + rest;
        }
        return encoded.isEmpty() ? UNNAMED : encoded.toString();
    }

    private static String digest(String name) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(name.getBytes(UTF_8));
            return HexFormat.of().formatHex(digest, 0, DIGEST_BYTES);
        } catch (NoSuchAlgorithmException everyJavaHasIt) {
            throw new IllegalStateException(everyJavaHasIt);
        }
    }
}
