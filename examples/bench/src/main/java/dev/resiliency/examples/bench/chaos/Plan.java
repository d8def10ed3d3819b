package dev.resiliency.examples.bench.chaos;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** Draws a job and what happens to it: the seed of the run and the number of the job determine each choice. */
abstract class Plan {
    private final SplittableRandom random;
    private int faults;

    Plan(long seed, int job) {
        random = new SplittableRandom(seed * 1_000_003 + job);
    }

    /** Returns whether ranks or agents host the store of a job: of two in a row one, so a run of several has both kinds. */
    static boolean isHosted(long seed, int job) {
        return (seed + job) % 2 == 0;
    }

    /** Draws how long the job is left alone. */
    abstract Duration pause();

    /** Draws how often the job is hit. */
    int batches() {
        return 8 + below(8);
    }

    /** Returns the id of the next fault. */
    int nextFault() {
        return faults++;
    }

    /** Draws a number from 0 on that is less than this one. */
    int below(int limit) {
        return random.nextInt(limit);
    }

    /** Draws true in so many of 100 cases. */
    boolean isOf(int percent) {
        return below(100) < percent;
    }

    /** Draws a time, which is less than the greater one. */
    Duration millis(int least, int most) {
        return Duration.ofMillis(least + below(most - least));
    }

    <T> T oneOf(List<T> things) {
        return things.get(below(things.size()));
    }
}
