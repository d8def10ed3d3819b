package dev.resiliency.state;

import java.util.SplittableRandom;

/**
 * Random generators that are a function of the step, so that there is no state of them to save: a step that is repeated, or
 * made by other ranks than before, draws the same numbers again.
 *
 * @since 0.1.0
 */
public final class StepRandom {
    private StepRandom() {}

    /**
     * Returns a new generator for what is the same on all ranks in a step.
     *
     * @param seed of the training; another one for each purpose
     */
    public static SplittableRandom of(long seed, long step) {
        return new SplittableRandom(Mix.of(seed, step));
    }

    /**
     * Returns a new generator for one sample in a step, such as for its augmentation or its dropout, whichever rank
     * computes it. A generator for each rank instead would depend on their number.
     *
     * @param seed of the training; another one for each purpose
     */
    public static SplittableRandom of(long seed, long step, long sample) {
        return new SplittableRandom(Mix.of(Mix.of(seed, step), sample));
    }
}
