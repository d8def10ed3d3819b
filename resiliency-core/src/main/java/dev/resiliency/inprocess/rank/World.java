package dev.resiliency.inprocess.rank;

import dev.resiliency.store.IndexSet;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * All ranks of a job and where they stand: what a {@link RankAssignment} reads and makes. It holds all that later
 * assignments need, so that whoever has read it decides the same.
 *
 * @param placements in ascending order of {@link Placement#rank}
 * @param leaving those that the assignment has dropped, with the reason; empty in the world that it begins with
 * @param firstKey which of the ranks' keys is the first one of the assignment that reads this world: a composition has
 *     the keys of all its parts
 * @since 0.1.0
 */
public record World(List<Placement> placements, List<Placement> leaving, int firstKey) {
    private static final Comparator<Placement> BY_RANK = Comparator.comparingInt(Placement::rank);

    /** Sorts the placements. */
    public World {
        List<Placement> sorted = new ArrayList<>(placements);
        sorted.sort(BY_RANK);
        placements = Collections.unmodifiableList(sorted);
        leaving = List.copyOf(leaving);
    }

    /** A world in which an assignment can begin. */
    public World(List<Placement> placements) {
        this(placements, List.of(), 0);
    }

    /** The world that a launcher starts, if the assignment needs no keys: see {@link #initial(List)}. */
    public static World initial(int worldSize) {
        return initial(Collections.nCopies(worldSize, List.of()));
    }

    /**
     * The world that a launcher starts: every rank is healthy and in its initial place, and none has a role yet.
     *
     * @param keys by initial rank, what the keys of {@link RankAssignment#keys} are on that rank
     */
    public static World initial(List<List<String>> keys) {
        return new World(IntStream.range(0, keys.size())
                .mapToObj(rank -> Placement.joined(rank, keys.get(rank)))
                .toList());
    }

    /** This world with those initial ranks marked as lost: what the next assignment begins with. */
    public World lose(IndexSet initialRanks) {
        return new World(placements.stream()
                .map(each ->
                        initialRanks.contains(each.initialRank()) ? each.unhealthy("it is lost") : each.withReason(""))
                .toList());
    }

    /** This world with other placements of its ranks; those that do not stand in it any more leave. */
    public World with(List<Placement> next) {
        BitSet staying = new BitSet();
        next.forEach(placement -> staying.set(placement.initialRank()));
        List<Placement> left = new ArrayList<>(leaving);
        for (Placement placement : placements) {
            if (!staying.get(placement.initialRank())) {
                left.add(placement);
            }
        }
        return new World(next, left, firstKey);
    }

    World withFirstKey(int newFirstKey) {
        return new World(placements, leaving, newFirstKey);
    }

    /**
     * What a key was on a rank when it joined.
     *
     * @param index which of {@link RankAssignment#keys}
     */
    public String key(Placement placement, int index) {
        return placement.keys().get(firstKey + index);
    }

    /** How many ranks stand in it, lost ones included. */
    public int size() {
        return placements.size();
    }

    /** How many ranks are active. */
    public int activeSize() {
        return (int) placements.stream().filter(Placement::isActive).count();
    }

    /** Whether nobody has a role yet: the job begins. */
    public boolean isNew() {
        return placements.stream().allMatch(Placement::isNew);
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

    /**
     * Checks that an iteration can start with this world: nobody is lost, ranks are 0 to size - 1 without a gap, and
     * active ranks likewise. If nobody is active, all leave: the job cannot go on.
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
            requireNext("rank", placement.initialRank(), placement.rank(), i);
        }
        List<Placement> active = placements.stream()
                .filter(Placement::isActive)
                .sorted(Comparator.comparingInt(Placement::activeRank))
                .toList();
        for (int i = 0; i < active.size(); i++) {
            requireNext(
                    "active rank", active.get(i).initialRank(), active.get(i).activeRank(), i);
        }
        return active.isEmpty() ? disbanded() : this;
    }

    private World disbanded() {
        return with(placements.stream()
                        .map(each -> each.unhealthy("no rank would be active: " + each.reason()))
                        .toList())
                .with(List.of());
    }

    private static void requireNext(String name, int initialRank, int given, int due) {
        if (given != due) {
            throw new IllegalStateException("the rank assignment left a gap or a duplicate: initial rank " + initialRank
                    + " has " + name + " " + given + " where " + due + " is due");
        }
    }
}
