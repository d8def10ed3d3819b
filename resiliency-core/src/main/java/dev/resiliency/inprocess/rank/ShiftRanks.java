package dev.resiliency.inprocess.rank;

import java.util.ArrayList;
import java.util.List;

/**
 * Shifts all healthy ranks to the left to close the gaps of lost ones, and keeps their order, so ranks that join come
 * last. Activates all of them. Corresponds to nvidia-resiliency-ext's {@code ShiftRanks}.
 *
 * <pre>
 *  | 0 | X | 2 | 3 | X | X | 6 | 7 |   →   | 0 | 2 | 3 | 6 | 7 |
 * </pre>
 */
record ShiftRanks() implements RankAssignment {
    @Override
    public World assign(World world) {
        List<Placement> shifted = new ArrayList<>();
        for (Placement placement : world.placements()) {
            if (placement.healthy()) {
                int rank = shifted.size();
                shifted.add(placement.withRank(rank).activated(rank, ""));
            }
        }
        return world.with(shifted);
    }
}
