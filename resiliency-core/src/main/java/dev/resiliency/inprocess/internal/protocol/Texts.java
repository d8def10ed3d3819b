package dev.resiliency.inprocess.internal.protocol;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.Mode;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.rank.Placement;
import dev.resiliency.inprocess.rank.RoleChange;
import dev.resiliency.inprocess.rank.World;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The values that ranks exchange, as short texts: they are read in the first restart of a job, where the classes of a
 * general format would first have to be loaded.
 */
final class Texts {
    private static final int LONGEST_MESSAGE = 500;
    private static final String DISCARDED = "discarded";

    private Texts() {}

    /** What each initial rank is told of an assignment; nothing, if it was lost before. */
    static List<Value> decisions(World before, World next, int initialWorldSize) {
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

    /** {@code rank activeRank worldSize activeWorldSize terminated change}; the change may be empty. */
    private static Value placed(Placement placement, String sizes, String change) {
        return Value.of(placement.rank() + " " + placement.activeRank() + " " + sizes + " " + change);
    }

    /** What this rank was told. */
    static Decision decision(Value value, int initialRank, int initialWorldSize, int iteration) {
        String[] fields = value.text().split(" ", 6);
        if (fields[0].equals(DISCARDED)) {
            return new Decision.Discarded(iteration, value.text().substring(DISCARDED.length() + 1));
        }
        int activeRank = Integer.parseInt(fields[1]);
        State state = new State(
                initialRank,
                initialWorldSize,
                Integer.parseInt(fields[0]),
                Integer.parseInt(fields[2]),
                activeRank == Placement.NONE ? Mode.INACTIVE : Mode.ACTIVE,
                activeRank,
                Integer.parseInt(fields[3]),
                iteration);
        return new Decision.Placed(state, Integer.parseInt(fields[4]), fields[5]);
    }

    /** One line: {@code rank kind milliseconds message}; milliseconds since the epoch, or {@code -}. */
    static Value interruption(Interruption interruption) {
        Instant time = interruption.time();
        String message = interruption.message().replaceAll("\\s+", " ");
        return Value.of("%d %s %s %s\n"
                .formatted(
                        interruption.rank(),
                        interruption.kind(),
                        time == null ? "-" : time.toEpochMilli(),
                        message.substring(0, Math.min(message.length(), LONGEST_MESSAGE))));
    }

    /**
     * All lines, each rank and kind once: a death is told by the store, by the monitor process and by other ranks. That a
     * rank was terminated is left out where another line says why; that it has failed before is not why.
     */
    static List<Interruption> interruptions(Value value) {
        Map<String, Interruption> first = new LinkedHashMap<>();
        for (String line : value.text().lines().toList()) {
            String[] fields = line.split(" ", 4);
            Instant time = fields[2].equals("-") ? null : Instant.ofEpochMilli(Long.parseLong(fields[2]));
            first.putIfAbsent(
                    fields[0] + fields[1],
                    new Interruption(
                            Integer.parseInt(fields[0]), Interruption.Kind.valueOf(fields[1]), time, fields[3]));
        }
        IndexSet explained = IndexSet.of(first.values().stream()
                .filter(interruption -> saysWhyItIsGone(interruption.kind()))
                .mapToInt(Interruption::rank)
                .toArray());
        return first.values().stream()
                .filter(interruption ->
                        interruption.kind() != Interruption.Kind.TERMINATED || !explained.contains(interruption.rank()))
                .toList();
    }

    private static boolean saysWhyItIsGone(Interruption.Kind kind) {
        return switch (kind) {
            case HARD_TIMEOUT, TERMINATED_BY_RANK, MONITOR_PROCESS_LOST -> true;
            case EXCEPTION, SOFT_TIMEOUT, COMPLETION_TIMEOUT, TERMINATED -> false;
        };
    }
}
