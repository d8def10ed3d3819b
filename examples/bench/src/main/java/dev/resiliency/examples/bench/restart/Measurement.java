package dev.resiliency.examples.bench.restart;

import static java.util.Objects.requireNonNull;

import dev.resiliency.examples.bench.restart.Mark.Kind;
import dev.resiliency.examples.bench.restart.RestartTimes.Part;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Computes the times of a job from its marks: the restart after iteration 0, which the fault caused, and the way back to
 * the full world. Pure.
 *
 * @param board all marks of the job
 * @param activeRanks the number of active ranks before the fault
 * @param silence the time after the fault before which it cannot be detected
 * @param launch when a new process was launched, and its number; null if none was
 */
record Measurement(
        Mark.Board board,
        int activeRanks,
        Duration silence,
        @Nullable Launch launch) {

    /** The launch of a process, at this {@link System#nanoTime}. */
    record Launch(int process, long nanos) {}

    RestartTimes times() {
        long faultedAt = board.faultedAt().orElseThrow();
        Map<Integer, Mark> reports = board.of(Kind.RESTARTED, 0);
        long last = last(reports.keySet(), Kind.ENTERED);
        long knew = last(reports.values());
        Map<String, Long> phases = new TreeMap<>();
        reports.values()
                .forEach(report -> report.values().forEach((phase, nanos) -> phases.merge(phase, nanos, Math::max)));
        OptionalInt full = board.full(0, activeRanks);
        return new RestartTimes(
                last - faultedAt,
                full.isPresent()
                        ? (Long) (last(board.of(Kind.ENTERED, full.getAsInt()).values()) - faultedAt)
                        : null,
                last - faultedAt - silence.toNanos(),
                last(reports.keySet(), Kind.GROUP) - faultedAt - silence.toNanos(),
                last(reports.keySet(), Kind.FIRST_STEP) - faultedAt - silence.toNanos(),
                knew - faultedAt - silence.toNanos(),
                phases,
                launch == null ? Map.of() : parts(launch, faultedAt, full.orElseThrow()),
                recovery());
    }

    /** Returns when the last of these had come this far in the first iteration after the fault. */
    private long last(Set<Integer> processes, Kind kind) {
        Map<Integer, Mark> marks = board.of(kind, 1);
        return last(processes.stream()
                .map(process -> requireNonNull(marks.get(process)))
                .toList());
    }

    private static long last(Collection<Mark> marks) {
        return marks.stream().mapToLong(Mark::nanos).max().orElseThrow();
    }

    /** Returns the phases of the slowest recovery from others after the fault; empty if there was none. */
    private Map<String, Long> recovery() {
        return board.full(0, activeRanks).stream()
                .mapToObj(full -> board.of(Kind.RECOVERED, full).values())
                .flatMap(Collection::stream)
                .filter(mark -> mark.value(Mark.FROM_PEERS) == 1)
                .max(Comparator.comparingLong(mark -> mark.value("all")))
                .map(mark -> mark.values())
                .orElse(Map.of());
    }

    private Map<String, Long> parts(Launch started, long faultedAt, int full) {
        Map<Part, Long> ends = new LinkedHashMap<>();
        ends.put(Part.EXIT, started.nanos());
        ends.put(Part.JVM_START, reached(Kind.STARTED, started.process()));
        ends.put(Part.CONNECTION, reached(Kind.CONNECTED, started.process()));
        ends.put(Part.MONITOR_PROCESS, reached(Kind.MONITORED, started.process()));
        ends.put(
                Part.ADMISSION,
                board.of(Kind.RESTARTED, full - 1).values().stream()
                        .mapToLong(Mark::nanos)
                        .min()
                        .orElseThrow());
        ends.put(Part.RESTART, last(board.of(Kind.ENTERED, full).values()));
        Map<String, Long> parts = new LinkedHashMap<>();
        long from = faultedAt;
        for (Map.Entry<Part, Long> end : ends.entrySet()) {
            parts.put(end.getKey().name(), end.getValue() - from);
            from = end.getValue();
        }
        return parts;
    }

    private long reached(Kind stage, int process) {
        return requireNonNull(board.of(stage, 0).get(process)).nanos();
    }
}
