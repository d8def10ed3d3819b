package dev.resiliency.inprocess.rank;

import java.util.function.IntUnaryOperator;

/**
 * The last step of a {@link Tree}: it may reduce the number of active ranks.
 *
 * @param filter maps the number of active ranks to one that the program can use
 */
record WorldSizeFilter(IntUnaryOperator filter) implements RankAssignment {
    @Override
    public World assign(World world) {
        return ActiveSize.limit(world, filter, "the world size filter");
    }
}
