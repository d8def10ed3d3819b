package dev.resiliency.inprocess.rank;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Fills the gaps that lost ranks leave with the healthy ranks from the end, in their order. The first ranks, as many as
 * are healthy, keep their places, so few move. Ranks that join are at the end, so they fill the gaps first. Activates
 * all. Corresponds to nvidia-resiliency-ext's {@code FillGaps}.
 *
 * <pre>
 *  |--- preserved ---|-- moved --|
 *  | 0 | X | 2 | 3 | X | X | 6 | 7 |   →   | 0 | 6 | 2 | 3 | 7 |
 * </pre>
 */
record FillGaps() implements RankAssignment {
    @Override
    public World assign(World world) {
        List<Placement> healthy =
                world.placements().stream().filter(Placement::healthy).toList();
        Map<Integer, Placement> lost = new HashMap<>();
        world.placements().stream()
                .filter(each -> !each.healthy() && !each.isJoining())
                .forEach(each -> lost.put(each.rank(), each));
        BitSet taken = new BitSet();
        healthy.stream()
                .mapToInt(Placement::rank)
                .filter(rank -> rank < healthy.size())
                .forEach(taken::set);
        List<Placement> filled = new ArrayList<>();
        for (Placement placement : healthy) {
            if (placement.rank() < healthy.size()) {
                filled.add(placement.activated(placement.rank(), ""));
            } else {
                int gap = taken.nextClearBit(0);
                taken.set(gap);
                filled.add(placement.withRank(gap).activated(gap, reason(placement, gap, lost.get(gap))));
            }
        }
        return world.with(filled);
    }

    private static String reason(Placement placement, int gap, @Nullable Placement lost) {
        if (!placement.isJoining()) {
            return "fills the gap at rank " + gap;
        }
        return lost == null ? "" : Placement.joinedInPlaceOf(lost);
    }
}
