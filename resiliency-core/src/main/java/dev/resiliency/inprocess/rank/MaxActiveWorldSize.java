package dev.resiliency.inprocess.rank;

/**
 * Limits the number of active ranks; the ranks after them, such as those that join a full world, are reserves, and move
 * up when others are lost. Corresponds to nvidia-resiliency-ext's {@code MaxActiveWorldSize}.
 *
 * @param maxActiveWorldSize at least 1; {@link Integer#MAX_VALUE} for no limit
 */
record MaxActiveWorldSize(int maxActiveWorldSize) implements RankAssignment {

    /** Checks the limit. */
    MaxActiveWorldSize {
        if (maxActiveWorldSize < 1) {
            throw new IllegalArgumentException(
                    "the maximum active world size must be at least 1, not " + maxActiveWorldSize);
        }
    }

    @Override
    public World assign(World world) {
        return ActiveSize.limit(
                world, size -> Math.min(size, maxActiveWorldSize), "maxActiveWorldSize(" + maxActiveWorldSize + ")");
    }
}
