package dev.resiliency.inprocess.rank;

import dev.resiliency.store.IndexSet;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * All ranks of a job with their places and roles: the input and output of a {@link RankAssignment}. It contains
 * everything that later assignments need, so that any rank that has read it computes the same result.
 *
 * @param placements in ascending order of {@link Placement#rank}
 * @param leaving the ranks that the assignment has dropped, with the reason; empty in its input
 * @param firstKey the index of the first key that belongs to the assignment reading this world, as a composition has
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

    /** Creates a world as the input of an assignment. */
    public World(List<Placement> placements) {
        this(placements, List.of(), 0);
    }

    /** Returns the initial world of a job whose assignment needs no keys: see {@link #initial(List)}. */
    public static World initial(int worldSize) {
        return initial(Collections.nCopies(worldSize, List.of()));
    }

    /**
     * Returns the initial world of a job: every rank is healthy and in its initial place, and none has a role yet.
     *
     * @param keys the values of {@link RankAssignment#keys} on each initial rank
     */
    public static World initial(List<List<String>> keys) {
        return new World(IntStream.range(0, keys.size())
                .mapToObj(rank -> Placement.founding(rank, keys.get(rank)))
                .toList());
    }

    /** Returns this world with those initial ranks marked as lost, as the input of the next assignment. */
    public World lose(IndexSet initialRanks) {
        return new World(placements.stream()
                .map(each ->
                        initialRanks.contains(each.initialRank()) ? each.unhealthy("it is lost") : each.withReason(""))
                .toList());
    }

    /**
     * Returns this world with one more rank at its end, healthy and without a role, as the input of the next
     * assignment.
     *
     * @param initialRank the number of the rank that joins; numbers of lost ranks are not used again
     * @param keys the values of {@link RankAssignment#keys} on that rank
     * @throws IllegalArgumentException if a rank of this world has that number
     */
    public World join(int initialRank, List<String> keys) {
        return join(Map.of(initialRank, keys));
    }

    /**
     * Returns this world with more ranks at its end, in the order of their numbers: see {@link #join(int, List)}.
     *
     * @param keys the values of {@link RankAssignment#keys} on each rank that joins, by its number
     * @throws IllegalArgumentException if a rank of this world has one of these numbers
     */
    public World join(Map<Integer, List<String>> keys) {
        IndexSet members = members();
        List<Placement> joined = new ArrayList<>(placements);
        new TreeMap<>(keys).forEach((initialRank, keysOfRank) -> {
            if (members.contains(initialRank)) {
                throw new IllegalArgumentException("initial rank " + initialRank + " is in this world already");
            }
            joined.add(Placement.joining(initialRank, joined.size(), keysOfRank));
        });
        return new World(joined, leaving, firstKey);
    }

    /** Returns this world with other placements of its ranks; those without a placement leave. */
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
     * Returns a key of a rank, as of when it joined.
     *
     * @param index the position in {@link RankAssignment#keys}
     */
    public String key(Placement placement, int index) {
        return placement.keys().get(firstKey + index);
    }

    /** Returns the number of ranks, including lost ones. */
    public int size() {
        return placements.size();
    }

    /** Returns the number of active ranks. */
    public int activeSize() {
        return (int) placements.stream().filter(Placement::isActive).count();
    }

    /** Returns whether no rank has a role yet, as at the beginning of the job. */
    public boolean isNew() {
        return placements.stream().allMatch(Placement::isNew);
    }

    /** Returns the initial ranks of all ranks. */
    public IndexSet members() {
        return IndexSet.of(placements.stream().mapToInt(Placement::initialRank).toArray());
    }

    /** Returns the initial ranks of those that are not lost. */
    public IndexSet healthyMembers() {
        return IndexSet.of(placements.stream()
                .filter(Placement::healthy)
                .mapToInt(Placement::initialRank)
                .toArray());
    }

    /** Returns the initial ranks of the active ones. */
    public IndexSet activeMembers() {
        return IndexSet.of(placements.stream()
                .filter(Placement::isActive)
                .mapToInt(Placement::initialRank)
                .toArray());
    }

    /**
     * Checks that an iteration can start with this world: no rank is lost, ranks are 0 to size - 1 without a gap, and
     * active ranks likewise. If none is active, all ranks leave, as the job cannot continue. A rank without a role
     * becomes a reserve.
     *
     * @throws IllegalStateException if a rule is broken; names the first
     */
    public World checked() {
        for (int i = 0; i < placements.size(); i++) {
            Placement placement = placements.get(i);
            if (!placement.healthy()) {
                throw new IllegalStateException("the rank assignment kept initial rank " + placement.initialRank()
                        + ", which is lost: compose it with shiftRanks, which closes the gaps");
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
        return active.isEmpty() ? disbanded() : withRoles();
    }

    private World withRoles() {
        if (placements.stream().noneMatch(Placement::isNew)) {
            return this;
        }
        int reserveOrder = placements.stream().mapToInt(Placement::reserveOrder).reduce(Placement.NONE, Math::max);
        List<Placement> next = new ArrayList<>(placements);
        for (int i = 0; i < next.size(); i++) {
            if (next.get(i).isNew()) {
                next.set(i, next.get(i).deactivated(++reserveOrder, "the rank assignment gave it no role"));
            }
        }
        return with(next);
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
