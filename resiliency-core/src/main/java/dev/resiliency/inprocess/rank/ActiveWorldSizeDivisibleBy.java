package dev.resiliency.inprocess.rank;

/**
 * Keeps the largest number of ranks active that is divisible; the ranks after them are reserves, until enough ranks have
 * joined. Corresponds to nvidia-resiliency-ext's {@code ActiveWorldSizeDivisibleBy}.
 *
 * @param divisor at least 1
 */
record ActiveWorldSizeDivisibleBy(int divisor) implements RankAssignment {

    /** Checks the divisor. */
    ActiveWorldSizeDivisibleBy {
        if (divisor < 1) {
            throw new IllegalArgumentException(
                    "the divisor of the active world size must be at least 1, not " + divisor);
        }
    }

    @Override
    public World assign(World world) {
        return ActiveSize.limit(world, size -> size / divisor * divisor, "activeWorldSizeDivisibleBy(" + divisor + ")");
    }
}
