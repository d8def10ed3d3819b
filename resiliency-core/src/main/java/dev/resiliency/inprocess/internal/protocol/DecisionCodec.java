package dev.resiliency.inprocess.internal.protocol;

import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.rank.Placement;
import dev.resiliency.inprocess.rank.World;
import dev.resiliency.inprocess.spi.refound.Ranges;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Encodes the decision for each rank as a short text: it is read in the first restart of a job, in which the classes of
 * a general format would have to be loaded. What all need to know about the others are the changes alone, so the text
 * does not grow with the job.
 *
 * <pre>
 * rank activeRank worldSize activeWorldSize removed added change     takes part; the change may be empty
 * discarded reason                                                   is left out
 * tooFew shortage                                                    the job ends
 * </pre>
 */
final class DecisionCodec {
    private static final String DISCARDED = "discarded ";
    private static final String TOO_FEW = "tooFew ";
    private static final int FIELDS = 7;

    private DecisionCodec() {}

    /**
     * Writes a text for each rank of the world before, in the order of the ranks; an empty one for a joiner that is not
     * admitted.
     *
     * @param joiners those in the world before that were no members of the last iteration
     */
    static List<Value> writeAll(World before, World next, IndexSet joiners) {
        IndexSet members = before.members().minus(joiners);
        String shared = next.size() + " " + next.activeSize() + " " + Ranges.write(members.minus(next.members())) + " "
                + Ranges.write(next.members().minus(members)) + " ";
        List<Value> texts = new ArrayList<>(Collections.nCopies(before.size(), Value.empty()));
        int[] positions = positionsOf(before);
        for (Placement placement : next.placements()) {
            texts.set(positions[placement.initialRank()], placed(placement, shared, ""));
        }
        for (RoleChange change : RoleChange.between(before, next)) {
            Placement after = change.after();
            if (after != null) {
                texts.set(positions[change.initialRank()], placed(after, shared, change.toString()));
            } else if (!joiners.contains(change.initialRank())) {
                texts.set(positions[change.initialRank()], Value.of(DISCARDED + change.reason()));
            }
        }
        return texts;
    }

    /** Writes the text that ends the job, for each rank of the world before that is not lost. */
    static List<Value> writeTooFewRanks(World before, Shortage shortage) {
        return before.placements().stream()
                .map(placement -> placement.healthy() ? Value.of(TOO_FEW + shortage.text()) : Value.empty())
                .toList();
    }

    /** Returns the position of each rank in the world, by its number. */
    static int[] positionsOf(World world) {
        int[] positions = new int[world.members().highest() + 1];
        for (Placement placement : world.placements()) {
            positions[placement.initialRank()] = placement.rank();
        }
        return positions;
    }

    private static Value placed(Placement placement, String shared, String change) {
        return Value.of(placement.rank() + " " + placement.activeRank() + " " + shared + change);
    }

    /** Reads the text of one rank. */
    static Decision read(Value value, Identity identity, State.Entry entry, int iteration) {
        String text = value.text();
        if (text.startsWith(DISCARDED)) {
            return new Decision.Discarded(iteration, text.substring(DISCARDED.length()));
        }
        if (text.startsWith(TOO_FEW)) {
            return new Decision.TooFewRanks(Shortage.read(text.substring(TOO_FEW.length())));
        }
        String[] fields = text.split(" ", FIELDS);
        int activeRank = Integer.parseInt(fields[1]);
        State state = new State(
                        identity.rank(),
                        identity.worldSize(),
                        Integer.parseInt(fields[0]),
                        Integer.parseInt(fields[2]),
                        activeRank == Placement.NONE ? State.Mode.INACTIVE : State.Mode.ACTIVE,
                        activeRank,
                        Integer.parseInt(fields[3]),
                        iteration)
                .withOrigin(
                        entry,
                        identity.generation().number(),
                        identity.generation().restartsUntil(iteration));
        return new Decision.Placed(state, Ranges.read(fields[4]), Ranges.read(fields[5]), fields[6]);
    }
}
