package dev.resiliency.inprocess.internal.coordination;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.Mode;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.rank.Placement;
import dev.resiliency.inprocess.rank.World;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import java.time.Instant;
import java.util.ArrayList;
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

    /** {@code rank worldSize activeRank activeWorldSize terminated}. */
    static Value placed(State state, int terminated) {
        return Value.of("%d %d %d %d %d"
                .formatted(state.rank(), state.worldSize(), state.activeRank(), state.activeWorldSize(), terminated));
    }

    static Value discarded() {
        return Value.of(DISCARDED);
    }

    static Decision decision(Value value, int initialRank, int initialWorldSize, int iteration) {
        String text = value.text();
        if (text.equals(DISCARDED)) {
            return new Decision.Discarded(iteration);
        }
        String[] fields = text.split(" ", -1);
        int activeRank = Integer.parseInt(fields[2]);
        State state = new State(
                initialRank,
                initialWorldSize,
                Integer.parseInt(fields[0]),
                Integer.parseInt(fields[1]),
                activeRank == Placement.INACTIVE ? Mode.INACTIVE : Mode.ACTIVE,
                activeRank,
                Integer.parseInt(fields[3]),
                iteration);
        return new Decision.Placed(state, Integer.parseInt(fields[4]));
    }

    /** {@code initialRank:activeRank}, in the order of the ranks. */
    static Value world(World world) {
        StringBuilder text = new StringBuilder();
        for (Placement placement : world.placements()) {
            text.append(text.isEmpty() ? "" : " ")
                    .append(placement.initialRank())
                    .append(':')
                    .append(placement.activeRank());
        }
        return Value.of(text.toString());
    }

    static World world(Value value) {
        List<Placement> placements = new ArrayList<>();
        for (String entry : value.text().split(" ", -1)) {
            int colon = entry.indexOf(':');
            placements.add(new Placement(
                    Integer.parseInt(entry.substring(0, colon)),
                    placements.size(),
                    true,
                    Integer.parseInt(entry.substring(colon + 1))));
        }
        return new World(placements);
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
     * rank was terminated is left out where another line says why.
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
                .filter(interruption -> interruption.kind() != Interruption.Kind.TERMINATED)
                .mapToInt(Interruption::rank)
                .toArray());
        return first.values().stream()
                .filter(interruption ->
                        interruption.kind() != Interruption.Kind.TERMINATED || !explained.contains(interruption.rank()))
                .toList();
    }
}
