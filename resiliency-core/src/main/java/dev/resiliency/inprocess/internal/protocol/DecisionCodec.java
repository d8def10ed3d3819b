package dev.resiliency.inprocess.internal.protocol;

import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.rank.Placement;
import dev.resiliency.inprocess.rank.World;
import dev.resiliency.store.Value;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Encodes the decision for each rank as a short text: it is read in the first restart of a job, in which the classes of
 * a general format would have to be loaded.
 *
 * <pre>
 * rank activeRank worldSize activeWorldSize terminated change       takes part; the change may be empty
 * discarded reason                                                  is left out
 * </pre>
 */
final class DecisionCodec {
    private static final String DISCARDED = "discarded";
    private static final int FIELDS = 6;

    private DecisionCodec() {}

    /** Writes a text for each initial rank; an empty one for a rank that was lost earlier. */
    static List<Value> writeAll(World before, World next, int initialWorldSize) {
        int terminated = initialWorldSize - next.size();
        String sizes = next.size() + " " + next.activeSize() + " " + terminated;
        List<Value> texts = new ArrayList<>(Collections.nCopies(initialWorldSize, Value.empty()));
        for (Placement placement : next.placements()) {
            texts.set(placement.initialRank(), placed(placement, sizes, ""));
        }
        for (RoleChange change : RoleChange.between(before, next)) {
            Placement after = change.after();
            Value text = after == null
                    ? Value.of(DISCARDED + " " + change.reason())
                    : placed(after, sizes, change.toString());
            texts.set(change.initialRank(), text);
        }
        return texts;
    }

    private static Value placed(Placement placement, String sizes, String change) {
        return Value.of(placement.rank() + " " + placement.activeRank() + " " + sizes + " " + change);
    }

    /** Reads the text of one rank. */
    static Decision read(Value value, int initialRank, int initialWorldSize, int iteration) {
        String[] fields = value.text().split(" ", FIELDS);
        if (fields[0].equals(DISCARDED)) {
            return new Decision.Discarded(iteration, value.text().substring(DISCARDED.length() + 1));
        }
        int activeRank = Integer.parseInt(fields[1]);
        State state = new State(
                initialRank,
                initialWorldSize,
                Integer.parseInt(fields[0]),
                Integer.parseInt(fields[2]),
                activeRank == Placement.NONE ? State.Mode.INACTIVE : State.Mode.ACTIVE,
                activeRank,
                Integer.parseInt(fields[3]),
                iteration);
        return new Decision.Placed(state, Integer.parseInt(fields[4]), fields[5]);
    }
}
