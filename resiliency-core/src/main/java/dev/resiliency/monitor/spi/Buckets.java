package dev.resiliency.monitor.spi;

/**
 * The buckets in which durations are counted: eight for each power of two, from a microsecond to two days. So a bucket says a
 * duration to 6 %.
 */
final class Buckets {
    private static final int SUB_BITS = 3;
    private static final int SUB_BUCKETS = 1 << SUB_BITS;
    /** The shortest that has a bucket of its own is 2^10 ns. */
    private static final int LEAST_POWER = 10;

    private static final int POWERS = 37;
    static final int COUNT = POWERS * SUB_BUCKETS;

    private Buckets() {}

    /** Returns the bucket of a duration in nanoseconds; what is out of range belongs to the first or the last one. */
    static int of(long nanos) {
        if (nanos < 1L << LEAST_POWER) {
            return 0;
        }
        int power = Long.SIZE - 1 - Long.numberOfLeadingZeros(nanos);
        int sub = (int) (nanos >>> (power - SUB_BITS)) & (SUB_BUCKETS - 1);
        return Math.min((power - LEAST_POWER) * SUB_BUCKETS + sub, COUNT - 1);
    }

    /** Returns the middle of a bucket, in nanoseconds. */
    static long middle(int bucket) {
        int power = LEAST_POWER + bucket / SUB_BUCKETS;
        long width = 1L << (power - SUB_BITS);
        return (1L << power) + (bucket % SUB_BUCKETS) * width + width / 2;
    }
}
