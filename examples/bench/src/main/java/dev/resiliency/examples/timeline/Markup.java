package dev.resiliency.examples.timeline;

import java.util.Locale;

/** Writes HTML, and SVG within it. */
final class Markup {
    private Markup() {}

    /** Escapes a text for HTML. */
    static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }

    /** Formats a coordinate. */
    static String number(double value) {
        String text = String.format(Locale.ROOT, "%.2f", value);
        return text.endsWith(".00") ? text.substring(0, text.length() - 3) : text;
    }
}
