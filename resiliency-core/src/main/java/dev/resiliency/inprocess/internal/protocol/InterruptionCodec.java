package dev.resiliency.inprocess.internal.protocol;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.spi.stack.Activity;
import dev.resiliency.inprocess.spi.stack.Standing;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Encodes the record of an interruption as one line, {@code rank kind milliseconds standing message}: milliseconds since the
 * epoch, or {@code -} if the time is not known; where the function stands as {@code SLEEP;true;frame;frame}, or {@code -}. The frames,
 * which are the end of the message as well, are written once.
 */
final class InterruptionCodec {
    private static final int LONGEST_MESSAGE = 500;
    private static final int FIELDS = 5;
    private static final int MOST_FRAMES = 5;
    private static final String NOT_KNOWN = "-";
    private static final String SEPARATOR = ";";
    /** In place of a kind: the function threw this as it was stopped, or before. */
    private static final String AT_STOP = "AT_STOP";

    private InterruptionCodec() {}

    static Value write(Interruption interruption) {
        return write(interruption, interruption.kind().name());
    }

    static Value writeAtStop(Interruption interruption) {
        return write(interruption, AT_STOP);
    }

    private static Value write(Interruption interruption, String kind) {
        Instant time = interruption.time();
        Standing standing = interruption.standing();
        String text = standing == null ? interruption.message() : standing.withoutFrames(interruption.message());
        String message = text.replaceAll("\\s+", " ");
        String milliseconds = time == null ? NOT_KNOWN : Long.toString(time.toEpochMilli());
        String start = message.substring(0, Math.min(message.length(), LONGEST_MESSAGE));
        return Value.of(
                interruption.rank() + " " + kind + " " + milliseconds + " " + write(standing) + " " + start + "\n");
    }

    private static String write(@Nullable Standing standing) {
        return standing == null
                ? NOT_KNOWN
                : Stream.concat(
                                Stream.of(standing.activity().name(), Boolean.toString(standing.isSilent())),
                                standing.frames().stream()
                                        .limit(MOST_FRAMES)
                                        .map(frame -> URLEncoder.encode(frame, StandardCharsets.UTF_8)))
                        .collect(Collectors.joining(SEPARATOR));
    }

    /**
     * Reads the first line of each rank and kind: the store, the monitor process and other ranks may all record the
     * same death or hang. But the store, and who only misses the rank, know nothing of it, so a line without a time counts only if
     * there is no other; and the monitor process does not know where a function stands, so what its rank says counts more. Omits the
     * termination of a rank if another line explains it, which an earlier fault does not, and what functions threw as they were
     * stopped. Skips lines that no rank has written, and calls {@code onUnreadable} for each.
     */
    static List<Interruption> readAll(Value value, Runnable onUnreadable) {
        Map<String, Interruption> first = new LinkedHashMap<>();
        for (String line :
                value.text().lines().filter(line -> readAtStop(line) == null).toList()) {
            Interruption interruption = read(line);
            if (interruption == null) {
                onUnreadable.run();
            } else {
                first.merge(
                        interruption.rank() + " " + interruption.kind(),
                        interruption,
                        (before, now) -> knowledge(now) > knowledge(before) ? now : before);
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

    private static int knowledge(Interruption record) {
        Standing standing = record.standing();
        return record.time() == null ? 0 : standing != null && !standing.isKnown() ? 1 : 2;
    }

    /**
     * Adds what a function threw as it was stopped, as an {@link Interruption.Kind#EXCEPTION}, if it must have failed before: nothing
     * else explains why others have lost their connections, and no other function threw such a thing. One that fails closes its
     * connections first, and on a busy host the others stop it before it has ended.
     *
     * @param read what {@link #readAll} returns of the value; all that is ever recorded
     */
    static List<Interruption> explain(List<Interruption> read, Value value) {
        List<Interruption> thrown = value.text()
                .lines()
                .flatMap(line -> Stream.ofNullable(readAtStop(line)))
                .toList();
        boolean isOpen =
                !read.isEmpty() && read.stream().allMatch(each -> each.kind() == Interruption.Kind.CONNECTION_LOST);
        return isOpen && thrown.size() == 1
                ? Stream.concat(thrown.stream(), read.stream()).toList()
                : read;
    }

    private static @Nullable Interruption readAtStop(String line) {
        String[] fields = line.split(" ", FIELDS);
        return fields.length == FIELDS && fields[1].equals(AT_STOP)
                ? read(line.replaceFirst(AT_STOP, Interruption.Kind.EXCEPTION.name()))
                : null;
    }

    private static @Nullable Interruption read(String line) {
        String[] fields = line.split(" ", FIELDS);
        if (fields.length < FIELDS) {
            return null;
        }
        try {
            int rank = Integer.parseInt(fields[0]);
            Instant time = fields[2].equals(NOT_KNOWN) ? null : Instant.ofEpochMilli(Long.parseLong(fields[2]));
            Interruption.Kind kind = Interruption.Kind.valueOf(fields[1]);
            Standing standing = readStanding(fields[3]);
            String text = Value.printable(fields[4], LONGEST_MESSAGE);
            String message = standing == null ? text : standing.withFrames(text);
            return rank < 0 ? null : new Interruption(rank, kind, time, message, standing);
        } catch (IllegalArgumentException | IndexOutOfBoundsException nothingThatARankWrites) {
            return null;
        }
    }

    private static @Nullable Standing readStanding(String field) {
        String[] parts = field.split(SEPARATOR, -1);
        return field.equals(NOT_KNOWN)
                ? null
                : new Standing(
                        Activity.valueOf(parts[0]),
                        Boolean.parseBoolean(parts[1]),
                        Arrays.stream(parts)
                                .skip(2)
                                .limit(MOST_FRAMES)
                                .map(frame -> URLDecoder.decode(frame, StandardCharsets.UTF_8))
                                .map(frame -> Value.printable(frame, LONGEST_MESSAGE))
                                .toList());
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
