package dev.resiliency.state;

/** Mixes numbers, so that neighbours have nothing in common. */
final class Mix {
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private Mix() {}

    /** Returns a number that depends on every bit of both. */
    static long of(long one, long other) {
        return mixed(mixed(one + GOLDEN) + other * GOLDEN + GOLDEN);
    }

    /** The finalizer of SplitMix64. */
    private static long mixed(long number) {
        long z = (number ^ (number >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
