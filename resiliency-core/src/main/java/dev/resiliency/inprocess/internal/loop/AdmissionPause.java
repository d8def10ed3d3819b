package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.internal.cycle.Clock;
import dev.resiliency.inprocess.internal.cycle.Stopwatch;
import dev.resiliency.store.IndexSet;
import java.time.Duration;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Slows down the admission of processes when those that joined before have died soon afterwards: each costs the others two restarts,
 * one to be admitted and one for its death. Every rank counts for itself, as each may have to lead. Confined to the monitor thread.
 */
final class AdmissionPause {
    /** Who has lived for so long after its admission did not die of it. */
    static final Duration SOON = Duration.ofSeconds(10);

    /** The number of early deaths without a pause. */
    static final int FREE = 3;

    static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
    static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    private final Clock clock;
    /** Those that were admitted not long ago, by their initial ranks. */
    private final Map<Integer, Stopwatch> admitted = new HashMap<>();

    private int earlyDeaths;
    /** Since the latest early death; null if no pause is due. */
    private @Nullable Stopwatch since;

    private Duration pause = Duration.ZERO;

    AdmissionPause(Clock clock) {
        this.clock = clock;
    }

    /** Notes who has joined with an iteration. */
    void admitted(IndexSet joiners) {
        joiners.forEach(rank -> admitted.put(rank, new Stopwatch(clock)));
    }

    /**
     * Looks who of them has died.
     *
     * @return whether a pause begins with that
     */
    boolean look(IndexSet terminated) {
        boolean begins = false;
        for (Iterator<Map.Entry<Integer, Stopwatch>> each = admitted.entrySet().iterator(); each.hasNext(); ) {
            Map.Entry<Integer, Stopwatch> joiner = each.next();
            if (joiner.getValue().hasReached(SOON)) {
                each.remove();
                earlyDeaths = 0;
            } else if (terminated.contains(joiner.getKey())) {
                each.remove();
                earlyDeaths++;
                begins |= earlyDeaths > FREE;
            }
        }
        if (begins) {
            int doublings = Math.min(earlyDeaths - FREE - 1, 10); // enough to reach the longest pause
            Duration next = FIRST_PAUSE.multipliedBy(1L << doublings);
            pause = next.compareTo(LONGEST_PAUSE) < 0 ? next : LONGEST_PAUSE;
            since = new Stopwatch(clock);
        }
        return begins;
    }

    /** Returns whether nobody is to be admitted now, unless the job cannot go on without. */
    boolean isOn() {
        return nanosLeft() > 0;
    }

    /** Returns for how many nanoseconds it lasts; 0 or less if it is over. */
    long nanosLeft() {
        return since == null ? 0 : since.nanosUntil(pause);
    }

    int earlyDeaths() {
        return earlyDeaths;
    }

    Duration pause() {
        return pause;
    }
}
