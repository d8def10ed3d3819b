package dev.resiliency.examples.bench.chaos;

import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;

/** Random choices for a job, which its number and the seed of the run determine. */
final class Draw {
    private final SplittableRandom random;

    Draw(long seed, int job) {
        random = new SplittableRandom(seed * 1_000_003 + job);
    }

    /** Returns whether ranks or agents host the store of a job: of two in a row one, so a run of several has both kinds. */
    static boolean isHosted(long seed, int job) {
        return (seed + job) % 2 == 0;
    }

    /** Draws a number from 0 on that is less than this one. */
    int below(int limit) {
        return random.nextInt(limit);
    }

    /** Draws true in so many of 100 cases. */
    boolean isOf(int percent) {
        return random.nextInt(100) < percent;
    }

    /** Draws a time, which is less than the greater one. */
    Duration millis(int least, int most) {
        return Duration.ofMillis(least + random.nextInt(most - least));
    }

    <T> T oneOf(List<T> things) {
        return things.get(random.nextInt(things.size()));
    }
}
