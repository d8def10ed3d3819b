package dev.resiliency.inprocess.rank;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;

/** Reduces the number of active ranks: those with the highest active ranks become reserves. */
final class ActiveSize {
    private ActiveSize() {}

    /**
     * Returns the world with fewer active ranks.
     *
     * @param filter maps the number of active ranks to the desired one
     * @param name of the filter, for the reason
     */
    static World limit(World world, IntUnaryOperator filter, String name) {
        int size = world.activeSize();
        int limit = filter.applyAsInt(size);
        if (limit < 0 || limit > size) {
            throw new IllegalStateException(
                    name + " wants " + limit + " active ranks where " + size + " are: it can only make them fewer");
        }
        int reserveOrder =
                world.placements().stream().mapToInt(Placement::reserveOrder).reduce(Placement.NONE, Math::max);
        List<Placement> limited = new ArrayList<>(world.size());
        for (Placement placement : world.placements()) {
            limited.add(
                    placement.activeRank() < limit
                            ? placement
                            : placement.deactivated(
                                    ++reserveOrder, name + " leaves " + limit + " of " + size + " active"));
        }
        return world.with(limited);
    }
}
