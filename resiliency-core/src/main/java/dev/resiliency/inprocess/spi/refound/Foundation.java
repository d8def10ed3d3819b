package dev.resiliency.inprocess.spi.refound;

import dev.resiliency.store.IndexSet;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What votes allow: the world on which a store may be founded, and whether they are enough. Rule 22 of the protocol, and of the model
 * {@code docs/model/refound.pml}, is these few lines.
 *
 * <p>A next world that some have accepted is in doubt: others may know that it is agreed. It is void once that is excluded, and no
 * store can ever be founded on it.
 *
 * @param base the last world that any vote knows to be agreed, or that half of the voters before it have accepted and that is not void
 * @param counted the voters of the base that have not accepted a next world in doubt
 * @param isComplete whether one of them has accepted that the base is complete
 */
public record Foundation(KnownWorld base, IndexSet counted, boolean isComplete) {
    /**
     * Judges votes.
     *
     * @param votes at least one, by rank
     * @param onlyMembersAccept whether nobody else accepts a world, and so can know it to be agreed; otherwise none is void
     */
    public static Foundation of(Map<Integer, Vote> votes, boolean onlyMembersAccept) {
        Map<Worlds, Vote> different = new LinkedHashMap<>();
        votes.values().forEach(vote -> different.putIfAbsent(Worlds.of(vote), vote));
        Set<Worlds> voids = different.entrySet().stream()
                .filter(each -> onlyMembersAccept && isVoid(each.getValue(), votes))
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
        KnownWorld base = different.entrySet().stream()
                .map(each -> isKept(each.getValue(), votes) && !voids.contains(each.getKey())
                        ? each.getValue().accepted()
                        : each.getValue().agreed())
                .max(Comparator.comparingInt(KnownWorld::iteration).thenComparing(KnownWorld::term))
                .orElseThrow(() -> new IllegalArgumentException("there are no votes"));
        IndexSet counted = IndexSet.of(votes.entrySet().stream()
                .filter(vote -> base.members().contains(vote.getKey())
                        && !vote.getValue().ceded()
                        && (!isInDoubt(vote.getValue(), base) || voids.contains(Worlds.of(vote.getValue()))))
                .mapToInt(Map.Entry::getKey)
                .toArray());
        boolean isComplete = counted.stream()
                .mapToObj(votes::get)
                .anyMatch(vote -> vote.completed() && vote.accepted().isSame(base));
        return new Foundation(textOf(base, votes), counted, isComplete);
    }

    /** What a vote says of worlds: most say the same, and what they say is judged once. */
    private record Worlds(Term agreedBy, int agreed, Term acceptedOf, int accepted) {
        static Worlds of(Vote vote) {
            return new Worlds(
                    vote.agreed().term(),
                    vote.agreed().iteration(),
                    vote.accepted().term(),
                    vote.accepted().iteration());
        }
    }

    /** Returns whether at least half of the voters before have accepted what this one has, as far as the votes show. */
    private static boolean isKept(Vote vote, Map<Integer, Vote> votes) {
        IndexSet voters = vote.agreed().members();
        long accepted = votes.entrySet().stream()
                .filter(each -> voters.contains(each.getKey())
                        && each.getValue().accepted().isSame(vote.accepted()))
                .count();
        return accepted * 2 >= voters.size();
    }

    private static boolean isInDoubt(Vote vote, KnownWorld base) {
        return vote.agreed().isSame(base) && !vote.accepted().isSame(base);
    }

    /**
     * Returns whether the world that this vote has accepted is void: all its members have voted, none knows that it is agreed, and too
     * few have accepted it, or none has its decision. They accept nothing more from its store, so all that remains true.
     */
    private static boolean isVoid(Vote vote, Map<Integer, Vote> votes) {
        KnownWorld world = vote.accepted();
        return !world.isSame(vote.agreed())
                && (!isKept(vote, votes) || textOf(world, votes).text().isEmpty())
                && world.members().stream().allMatch(member -> {
                    Vote given = votes.get(member);
                    return given != null && !given.ceded() && !given.agreed().isSame(world);
                });
    }

    private static KnownWorld textOf(KnownWorld base, Map<Integer, Vote> votes) {
        return votes.values().stream()
                .flatMap(vote -> Stream.of(vote.agreed(), vote.accepted()))
                .filter(world -> world.isSame(base) && !world.text().isEmpty())
                .findFirst()
                .orElse(base);
    }

    /** Returns whether more than half of the voters are there, lost ones included in the total. */
    public boolean isEnough() {
        return counted.size() * 2 > base.members().size();
    }

    /** Returns whether any vote tells what was decided for the base. */
    public boolean isKnown() {
        return !base.text().isEmpty();
    }

    /** Returns the voters of the base that have not come, or do not count. */
    public IndexSet missing() {
        return base.members().minus(counted);
    }
}
