package dev.resiliency.launcher.health;

/** What others have written, so that it fits into a line of a log. */
final class Excerpt {
    private static final int LONGEST = 300;

    private Excerpt() {}

    /** Returns a text without control characters; the beginning of a long one. */
    static String of(String text) {
        String line = text.strip().replaceAll("[\\p{Cntrl}\\s]+", " ");
        return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "…";
    }
}
