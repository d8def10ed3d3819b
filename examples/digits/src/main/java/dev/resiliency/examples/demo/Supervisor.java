package dev.resiliency.examples.demo;

import java.time.Duration;

/**
 * Decides whether and when a process that has ended is started again: at once if it had taken part in the job, otherwise
 * after longer and longer pauses, until the budget of its rank is used up. It only decides; a {@link Launcher} starts.
 */
final class Supervisor {
    /** How often each rank is started again. */
    static final int BUDGET = 5;

    private static final Duration FIRST_PAUSE = Duration.ofMillis(200);

    private final int[] restarts;
    /** How many processes of a rank in a row have ended without having taken part; the first one counts as if it had. */
    private final int[] futile;

    Supervisor(int ranks) {
        restarts = new int[ranks];
        futile = new int[ranks];
    }

    /** What to do about a process that has ended. */
    sealed interface Decision {
        /**
         * To start it again.
         *
         * @param time how many times its rank is started again with this one
         * @param pause how long to wait before
         */
        record StartAgain(int time, Duration pause) implements Decision {}

        /** To leave it, since the budget of its rank is used up. */
        record GiveUp() implements Decision {}
    }

    /** Records that the process of a rank takes part in the job: the next one is started at once. */
    void tookPart(int rank) {
        futile[rank] = 0;
    }

    /** Returns what to do now that the process of a rank has ended before the job has. */
    Decision ended(int rank) {
        if (restarts[rank] == BUDGET) {
            return new Decision.GiveUp();
        }
        Duration pause = futile[rank] == 0 ? Duration.ZERO : FIRST_PAUSE.multipliedBy(1L << (futile[rank] - 1));
        futile[rank]++;
        restarts[rank]++;
        return new Decision.StartAgain(restarts[rank], pause);
    }
}
