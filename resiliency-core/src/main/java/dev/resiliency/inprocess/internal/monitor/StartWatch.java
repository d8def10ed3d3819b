package dev.resiliency.inprocess.internal.monitor;

import java.time.Duration;

/**
 * Decides how long a child that is starting is waited for: as long as it uses the processor, however little of it an
 * overloaded host gives. One that is stopped, or waits for something that does not come, uses none. Confined to one
 * thread at a time.
 */
final class StartWatch {
    /** How often the child is looked at. */
    static final Duration PERIOD = Duration.ofSeconds(30);

    /** What a child that gets on uses at least in a period: one hundredth of a processor. */
    static final Duration LEAST = PERIOD.dividedBy(100);

    /** A start takes a second of processor time: one that uses a hundred times as much does not come to its end. */
    static final Duration MOST = Duration.ofSeconds(100);

    private Duration used = Duration.ZERO;
    private int periods;

    /**
     * Returns whether the child gets on with its start; called once in each period.
     *
     * @param total the processor time that the child has used so far; zero if the system does not tell
     */
    boolean getsOn(Duration total) {
        periods++;
        Duration latest = total.minus(used);
        used = total;
        return latest.compareTo(LEAST) >= 0 && total.compareTo(MOST) < 0;
    }

    /** Returns a text that says why it is waited for no longer. */
    String describe() {
        return "did not start within %d s, in which it used %.1f s of processor time: is it stopped, or this host overloaded?"
                .formatted(periods * PERIOD.toSeconds(), used.toMillis() / 1000.0);
    }
}
