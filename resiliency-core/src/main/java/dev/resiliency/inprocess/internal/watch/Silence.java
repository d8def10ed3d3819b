package dev.resiliency.inprocess.internal.watch;

import java.util.Locale;

/**
 * The lack of progress of a thread.
 *
 * @param what it does not do: {@code made no progress}
 * @param since a time of {@link System#nanoTime}
 */
public record Silence(Thread thread, String what, long since) {

    /** Returns it as a text: {@code made no progress for 6.0 s}. */
    String since(long now) {
        return String.format(Locale.ROOT, "%s for %.1f s", what, Math.max(0, now - since) / 1e9);
    }
}
