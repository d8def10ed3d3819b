package dev.resiliency.inprocess.internal.protocol;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Encodes the record of an interruption as one line, {@code rank kind milliseconds message}: milliseconds since the
 * epoch, or {@code -} if the time is not known.
 */
final class InterruptionCodec {
    private static final int LONGEST_MESSAGE = 500;
    private static final int FIELDS = 4;

    private InterruptionCodec() {}

    static Value write(Interruption interruption) {
        Instant time = interruption.time();
        String message = interruption.message().replaceAll("\\s+", " ");
        String milliseconds = time == null ? "-" : Long.toString(time.toEpochMilli());
        String start = message.substring(0, Math.min(message.length(), LONGEST_MESSAGE));
        return Value.of(interruption.rank() + " " + interruption.kind() + " " + milliseconds + " " + start + "\n");
    }

    /**
     * Reads the first line of each rank and kind: the store, the monitor process and other ranks may all record the
     * same death; but the store, and who only misses the rank, know nothing of it, so a line without a time counts only if
     * there is no other. Omits the
     * termination of a rank if another line explains it, which an earlier fault does not. Skips lines that no rank has
     * written, and calls {@code onUnreadable} for each.
     */
    static List<Interruption> readAll(Value value, Runnable onUnreadable) {
        Map<String, Interruption> first = new LinkedHashMap<>();
        for (String line : value.text().lines().toList()) {
            Interruption interruption = read(line);
            if (interruption == null) {
                onUnreadable.run();
            } else {
                first.merge(
                        interruption.rank() + " " + interruption.kind(),
                        interruption,
                        (before, now) -> before.time() == null && now.time() != null ? now : before);
            }
        }
        IndexSet explained = IndexSet.of(first.values().stream()
                .filter(interruption -> explainsDeath(interruption.kind()))
                .mapToInt(Interruption::rank)
                .toArray());
        return first.values().stream()
                .filter(interruption ->
                        interruption.kind() != Interruption.Kind.TERMINATED || !explained.contains(interruption.rank()))
                .toList();
    }

    private static @Nullable Interruption read(String line) {
        String[] fields = line.split(" ", FIELDS);
        if (fields.length < FIELDS) {
            return null;
        }
        try {
            int rank = Integer.parseInt(fields[0]);
            Instant time = fields[2].equals("-") ? null : Instant.ofEpochMilli(Long.parseLong(fields[2]));
            Interruption.Kind kind = Interruption.Kind.valueOf(fields[1]);
            String message = Value.printable(fields[3], LONGEST_MESSAGE);
            return rank < 0 ? null : new Interruption(rank, kind, time, message);
        } catch (IllegalArgumentException noNumberOrNoKind) {
            return null;
        }
    }

    private static boolean explainsDeath(Interruption.Kind kind) {
        return switch (kind) {
            case HARD_TIMEOUT, TERMINATED_BY_RANK, MONITOR_PROCESS_LOST, CANNOT_RUN -> true;
            case EXCEPTION,
                    CONNECTION_LOST,
                    OUT_OF_MEMORY,
                    WAITING,
                    SOFT_TIMEOUT,
                    COMPLETION_TIMEOUT,
                    TERMINATED,
                    SCALE_UP,
                    LEAVING,
                    SAFE_POINT_MISSED -> false;
        };
    }
}
