package dev.resiliency.inprocess.rank;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;

/**
 * Fills the gaps that lost ranks leave with the healthy ranks from the end, in their order. The first ones, as many as
 * are healthy, stay where they are, so few move. Activates all. The guide's {@code FillGaps}.
 *
 * <pre>
 *  |--- preserved ---|-- moved --|
 *  | 0 | X | 2 | 3 | X | X | 6 | 7 |   →   | 0 | 6 | 2 | 3 | 7 |
 * </pre>
 */
public record FillGaps() implements RankAssignment {
    @Override
    public World assign(World world) {
        int size = world.healthyMembers().size();
        List<Placement> filled = new ArrayList<>();
        Queue<Placement> gaps = new ArrayDeque<>();
        for (Placement placement : world.placements()) {
            boolean preserved = placement.rank() < size;
            if (preserved && !placement.healthy()) {
                gaps.add(placement);
            } else if (preserved) {
                filled.add(placement.activated(placement.rank(), ""));
            } else if (placement.healthy()) {
                Placement gap = gaps.remove();
                filled.add(placement
                        .withRank(gap.rank())
                        .activated(gap.rank(), "fills the gap of initial rank " + gap.initialRank()));
            }
        }
        return world.with(filled);
    }
}
