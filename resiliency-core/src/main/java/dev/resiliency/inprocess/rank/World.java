package dev.resiliency.inprocess.rank;

import dev.resiliency.inprocess.Mode;
import dev.resiliency.inprocess.State;
import dev.resiliency.store.IndexSet;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * All ranks of a job and where they stand: what a {@link RankAssignment} reads and makes.
 *
 * @param placements in ascending order of {@link Placement#rank}
 */
public record World(List<Placement> placements) {

    /** Sorts the placements. */
    public World {
        placements = placements.stream()
                .sorted(Comparator.comparingInt(Placement::rank))
                .toList();
    }

    /** The world that a launcher starts: every rank is healthy and in its initial place, and none is active yet. */
    public static World initial(int worldSize) {
        return new World(IntStream.range(0, worldSize)
                .mapToObj(rank -> new Placement(rank, rank, true, Placement.INACTIVE))
                .toList());
    }

    /** This world, with those initial ranks marked as lost. */
    public World lose(IndexSet initialRanks) {
        return new World(placements.stream()
                .map(placement -> initialRanks.contains(placement.initialRank())
                        ? new Placement(placement.initialRank(), placement.rank(), false, placement.activeRank())
                        : placement)
                .toList());
    }

    /** How many ranks stand in it, lost ones included. */
    public int size() {
        return placements.size();
    }

    /** How many ranks are active. */
    public int activeSize() {
        return (int) placements.stream().filter(Placement::isActive).count();
    }

    /** The initial ranks of all that stand in it. */
    public IndexSet members() {
        return IndexSet.of(placements.stream().mapToInt(Placement::initialRank).toArray());
    }

    /** The initial ranks of those that are not lost. */
    public IndexSet healthyMembers() {
        return IndexSet.of(placements.stream()
                .filter(Placement::healthy)
                .mapToInt(Placement::initialRank)
                .toArray());
    }

    /** The initial ranks of the active ones. */
    public IndexSet activeMembers() {
        return IndexSet.of(placements.stream()
                .filter(Placement::isActive)
                .mapToInt(Placement::initialRank)
                .toArray());
    }

    /** Who a rank of this world is in an iteration of a job that began with {@code initialWorldSize} ranks. */
    public State stateOf(Placement placement, int initialWorldSize, int activeSize, int iteration) {
        return new State(
                placement.initialRank(),
                initialWorldSize,
                placement.rank(),
                size(),
                placement.isActive() ? Mode.ACTIVE : Mode.INACTIVE,
                placement.activeRank(),
                activeSize,
                iteration);
    }

    /**
     * Checks that an iteration can start with this world: nobody is lost, ranks are 0 to size - 1 without a gap, active
     * ranks likewise, and somebody is active.
     *
     * @throws IllegalStateException that names the first rule which is broken
     */
    public World checked() {
        for (int i = 0; i < placements.size(); i++) {
            Placement placement = placements.get(i);
            if (!placement.healthy()) {
                throw new IllegalStateException("the rank assignment kept initial rank " + placement.initialRank()
                        + ", which is lost: compose it with ShiftRanks, which closes the gaps");
            }
            if (placement.rank() != i) {
                throw new IllegalStateException("the rank assignment left a gap or a duplicate: initial rank "
                        + placement.initialRank() + " has rank " + placement.rank() + " where " + i + " is due");
            }
        }
        int[] active = placements.stream()
                .filter(Placement::isActive)
                .mapToInt(Placement::activeRank)
                .sorted()
                .toArray();
        if (active.length == 0) {
            throw new IllegalStateException(
                    "the rank assignment activated none of " + size() + " ranks: compose it with ActivateAllRanks");
        }
        for (int i = 0; i < active.length; i++) {
            if (active[i] != i) {
                throw new IllegalStateException("the rank assignment left a gap or a duplicate among the active ranks: "
                        + active[i] + " where " + i + " is due");
            }
        }
        return this;
    }
}
