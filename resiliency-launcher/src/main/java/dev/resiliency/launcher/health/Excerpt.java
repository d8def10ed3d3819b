package dev.resiliency.launcher.health;

import dev.resiliency.store.spi.guard.Printable;

/** What others have written, so that it fits into a line of a log. */
final class Excerpt {
    private static final int LONGEST = 300;

    private Excerpt() {}

    /** Returns a text in one line, with its control characters escaped; the beginning of a long one. */
    static String of(String text) {
        return Printable.of(text.strip().replaceAll("\\s+", " "), LONGEST);
    }
}
