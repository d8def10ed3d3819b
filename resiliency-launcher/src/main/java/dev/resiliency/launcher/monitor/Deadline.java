package dev.resiliency.launcher.monitor;

import java.time.Duration;
import java.util.Locale;

/**
 * When something that a rank does is due.
 *
 * @param kind what it is
 * @param section its name, for a section
 * @param since on the clock of {@link System#nanoTime}
 */
record Deadline(Kind kind, String section, long since, Duration limit) {
    enum Kind {
        /** A section that is open. */
        SECTION,
        /** The next section, while none is open. */
        NEXT_SECTION,
        /** The next heartbeat. */
        HEARTBEAT,
        /** The first heartbeat or section, or that the job of a wrapped function knows the process. */
        FIRST_HEARTBEAT
    }

    long due() {
        return since + limit.toNanos();
    }

    /** Returns what is wrong when the deadline has passed, as a sentence without a full stop. */
    String describe(long now) {
        String age = seconds(now - since);
        String ofLimit = "and the limit is " + seconds(limit.toNanos());
        return switch (kind) {
            case SECTION -> "section '%s' has been open for %s, %s".formatted(section, age, ofLimit);
            case NEXT_SECTION -> "no section has been open for %s, %s".formatted(age, ofLimit);
            case HEARTBEAT -> "the last heartbeat was %s ago, %s".formatted(age, ofLimit);
            case FIRST_HEARTBEAT -> "there has been no heartbeat since it started %s ago, %s".formatted(age, ofLimit);
        };
    }

    private static String seconds(long nanos) {
        return String.format(Locale.ROOT, "%.1f s", nanos / 1e9);
    }
}
