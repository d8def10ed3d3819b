package dev.resiliency.state;

/**
 * The order in which a training reads its samples, as a function of the step: each epoch has every sample once, in an order
 * of its own. There is no position to save, so a training that is interrupted, or whose ranks change, reads the very samples
 * that it would have read otherwise.
 *
 * <pre>{@code
 * DataOrder order = DataOrder.of(seed, samples, batchSize);
 * for (long sample : order.share(step, call.state().activeRank(), call.state().activeWorldSize())) {
 *     …
 * }
 * }</pre>
 *
 * <p>It takes the same few bytes of memory for any number of samples. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class DataOrder {
    private static final int ROUNDS = 6;

    private final long seed;
    private final long samples;
    private final int batchSize;
    /** Half of the bits of a number that is at least as large as that of all samples. */
    private final int halfBits;

    private DataOrder(long seed, long samples, int batchSize) {
        this.seed = seed;
        this.samples = samples;
        this.batchSize = batchSize;
        int bits = Long.SIZE - Long.numberOfLeadingZeros(Math.max(1, samples - 1));
        this.halfBits = (bits + 1) / 2;
    }

    /**
     * Returns the order of this many samples, numbered from 0, in batches of this size over all ranks.
     *
     * @param seed the same on all ranks; another one gives another order
     * @throws IllegalArgumentException if {@code samples} is not from 1 to 2^60, or {@code batchSize} less than 1
     */
    public static DataOrder of(long seed, long samples, int batchSize) {
        if (samples < 1 || samples > 1L << 60) {
            throw new IllegalArgumentException("samples is " + samples + ": it must be from 1 to 2^60");
        }
        if (batchSize < 1) {
            throw new IllegalArgumentException("batchSize is " + batchSize + ": it must be at least 1");
        }
        return new DataOrder(seed, samples, batchSize);
    }

    /**
     * Returns the samples that a rank reads in a step: every {@code ranks}-th of the step's batch. All ranks together read
     * the same batch whatever their number.
     *
     * @param step from 1 on
     * @param rank from 0 on
     * @throws IllegalArgumentException if {@code step} is less than 1, or there is no such rank
     */
    public long[] share(long step, int rank, int ranks) {
        if (step < 1) {
            throw new IllegalArgumentException("step is " + step + ": the first one is 1");
        }
        if (rank < 0 || rank >= ranks) {
            throw new IllegalArgumentException("rank is " + rank + " of " + ranks);
        }
        long first = Math.multiplyExact(step - 1, (long) batchSize);
        long[] share = new long[(batchSize - rank + ranks - 1) / ranks];
        for (int i = 0; i < share.length; i++) {
            share[i] = sampleAt(first + rank + (long) i * ranks);
        }
        return share;
    }

    /**
     * Returns the epoch of the first sample of a step, from 0 on.
     *
     * @throws IllegalArgumentException if {@code step} is less than 1
     */
    public long epoch(long step) {
        if (step < 1) {
            throw new IllegalArgumentException("step is " + step + ": the first one is 1");
        }
        return Math.multiplyExact(step - 1, (long) batchSize) / samples;
    }

    private long sampleAt(long position) {
        long epochKey = Mix.of(seed, position / samples);
        long sample = position % samples;
        do {
            sample = permuted(sample, epochKey); // leaves the numbers of samples for a while at most: a permutation
        } while (sample >= samples);
        return sample;
    }

    /** Returns the number at this place of a permutation of all numbers of so many bits: a Feistel network. */
    private long permuted(long number, long key) {
        long mask = (1L << halfBits) - 1;
        long left = number >>> halfBits;
        long right = number & mask;
        for (int round = 0; round < ROUNDS; round++) {
            long next = left ^ (Mix.of(key + round, right) & mask);
            left = right;
            right = next;
        }
        return left << halfBits | right;
    }
}
