package dev.resiliency.store.spi.guard;

import java.util.Locale;

/**
 * Makes texts fit for logs and terminals. Keys, names and reasons come from other processes: a line break in one would forge a
 * line of a log, and an escape code would reach the terminal of whoever reads it.
 *
 * @since 0.1.0
 */
public final class Printable {
    private static final int NEVER = -1;

    private Printable() {}

    /** Returns the text with its control and format characters escaped, which is the text itself if it has none. */
    public static String of(String text) {
        int first = firstToEscape(text);
        if (first == NEVER) {
            return text;
        }
        StringBuilder printable = new StringBuilder(text.length() + 16).append(text, 0, first);
        for (int i = first; i < text.length(); ) {
            int point = text.codePointAt(i);
            append(point, printable);
            i += Character.charCount(point);
        }
        return printable.toString();
    }

    /** Returns the same, cut off after this many characters of the text. */
    public static String of(String text, int length) {
        if (text.length() <= length) {
            return of(text);
        }
        int end = Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length;
        return of(text.substring(0, end)) + "…";
    }

    private static int firstToEscape(String text) {
        for (int i = 0; i < text.length(); ) {
            int point = text.codePointAt(i);
            if (isEscaped(point)) {
                return i;
            }
            i += Character.charCount(point);
        }
        return NEVER;
    }

    private static boolean isEscaped(int point) {
        if (point >= ' ' && point < 0x7F) {
            return false;
        }
        return switch (Character.getType(point)) {
            case Character.CONTROL,
                    Character.FORMAT, // such as those that reverse the direction of the text
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE -> true;
            default -> false;
        };
    }

    private static void append(int point, StringBuilder out) {
        if (!isEscaped(point)) {
            out.appendCodePoint(point);
            return;
        }
        switch (point) {
            case '\n' -> out.append("\\n");
            case '\r' -> out.append("\\r");
            case '\t' -> out.append("\\t");
            default -> out.append(String.format(Locale.ROOT, "\\u%04x", point));
        }
    }
}
