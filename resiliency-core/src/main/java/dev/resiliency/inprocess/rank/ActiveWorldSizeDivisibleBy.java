package dev.resiliency.inprocess.rank;

/**
 * Keeps a number of ranks active that can be divided: the largest that there is. The ranks behind are reserves.
 * Corresponds to nvidia-resiliency-ext's {@code ActiveWorldSizeDivisibleBy}.
 *
 * @param divisor at least 1
 */
record ActiveWorldSizeDivisibleBy(int divisor) implements RankAssignment {

    /** Checks it. */
    ActiveWorldSizeDivisibleBy {
        if (divisor < 1) {
            throw new IllegalArgumentException(
                    "the divisor of the active world size must be at least 1, not " + divisor);
        }
    }

    @Override
    public World assign(World world) {
        return ActiveSize.limit(world, size -> size / divisor * divisor, "ActiveWorldSizeDivisibleBy " + divisor);
    }
}
