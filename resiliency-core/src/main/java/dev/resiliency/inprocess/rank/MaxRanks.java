package dev.resiliency.inprocess.rank;

/**
 * Limits the number of active ranks of a whole job, whatever its rank assignment activates; the others are reserves.
 *
 * @param maxRanks at least 1
 */
record MaxRanks(int maxRanks) implements RankAssignment {

    /** Checks the limit. */
    MaxRanks {
        if (maxRanks < 1) {
            throw new IllegalArgumentException(
                    "the maximum number of active ranks must be at least 1, not " + maxRanks);
        }
    }

    @Override
    public World assign(World world) {
        return ActiveSize.limit(world, size -> Math.min(size, maxRanks), "maxRanks(" + maxRanks + ")");
    }
}
