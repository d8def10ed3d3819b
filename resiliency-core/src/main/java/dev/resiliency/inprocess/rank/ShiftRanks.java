package dev.resiliency.inprocess.rank;

import java.util.ArrayList;
import java.util.List;

/**
 * Shifts all healthy ranks to the left to close the gaps that lost ones leave, and keeps their order. Nobody is active
 * afterwards: compose it with what activates. The guide's {@code ShiftRanks}.
 *
 * <pre>
 *  | 0 | X | 2 | 3 | X | X | 6 | 7 |   →   | 0 | 2 | 3 | 6 | 7 |
 * </pre>
 */
public record ShiftRanks() implements RankAssignment {
    @Override
    public World assign(World world) {
        List<Placement> shifted = new ArrayList<>();
        for (Placement placement : world.placements()) {
            if (placement.healthy()) {
                shifted.add(placement.withRank(shifted.size()).withActiveRank(Placement.INACTIVE));
            }
        }
        return new World(shifted);
    }
}
