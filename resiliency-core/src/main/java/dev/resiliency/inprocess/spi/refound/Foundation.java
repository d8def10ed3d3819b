package dev.resiliency.inprocess.spi.refound;

import dev.resiliency.store.IndexSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/**
 * What votes allow: the world on which a store may be founded, and whether they are enough. Rules 6 and 7 of the model
 * {@code docs/model/refound.pml} are these few lines.
 *
 * @param base the last world that any vote knows to be agreed, or that half of the voters before it have accepted
 * @param counted the voters of the base that have not accepted a next world in doubt
 * @param isComplete whether one of them has accepted that the base is complete
 */
public record Foundation(KnownWorld base, IndexSet counted, boolean isComplete) {
    /**
     * Judges votes.
     *
     * @param votes at least one, by rank
     */
    public static Foundation of(Map<Integer, Vote> votes) {
        KnownWorld base = baseOf(votes);
        IndexSet counted = IndexSet.of(votes.entrySet().stream()
                .filter(vote -> base.members().contains(vote.getKey()) && counts(vote.getValue(), base))
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

    private static KnownWorld baseOf(Map<Integer, Vote> votes) {
        Map<Worlds, Vote> different = new LinkedHashMap<>();
        votes.values().forEach(vote -> different.putIfAbsent(Worlds.of(vote), vote));
        KnownWorld base = null;
        for (Vote vote : different.values()) {
            KnownWorld known = isAgreed(vote, votes) ? vote.accepted() : vote.agreed();
            base = base == null || known.iteration() > base.iteration() ? known : base;
        }
        if (base == null) {
            throw new IllegalArgumentException("there are no votes");
        }
        return base;
    }

    /** Returns whether at least half of the voters before have accepted what this one has, as far as the votes show. */
    private static boolean isAgreed(Vote vote, Map<Integer, Vote> votes) {
        IndexSet voters = vote.agreed().members();
        long accepted = votes.entrySet().stream()
                .filter(each -> voters.contains(each.getKey())
                        && each.getValue().accepted().isSame(vote.accepted()))
                .count();
        return accepted * 2 >= voters.size();
    }

    private static boolean counts(Vote vote, KnownWorld base) {
        boolean isInDoubt = vote.agreed().isSame(base) && !vote.accepted().isSame(base);
        return !isInDoubt && !vote.ceded();
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
