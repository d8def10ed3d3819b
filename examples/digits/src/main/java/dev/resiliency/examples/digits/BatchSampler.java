package dev.resiliency.examples.digits;

import java.util.SplittableRandom;

/**
 * Draws the batch of each step: the same samples whatever the number of ranks, so that a job that has lost a rank goes
 * on with the very training that it began.
 */
public final class BatchSampler {
    private final long seed;
    private final int samples;
    private final int batchSize;

    /** Samples batches of this size from so many samples. */
    public BatchSampler(long seed, int samples, int batchSize) {
        this.seed = seed;
        this.samples = samples;
        this.batchSize = batchSize;
    }

    /** Returns the indices of this rank's part of the batch: every {@code worldSize}-th of its samples. */
    public int[] draw(int step, int rank, int worldSize) {
        int[] batch =
                new SplittableRandom(seed + step).ints(batchSize, 0, samples).toArray();
        int[] part = new int[(batchSize - rank + worldSize - 1) / worldSize];
        for (int i = 0; i < part.length; i++) {
            part[i] = batch[rank + i * worldSize];
        }
        return part;
    }
}
