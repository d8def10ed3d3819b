package dev.resiliency.examples.bench.restart;

import static java.util.Objects.requireNonNull;

import dev.resiliency.examples.bench.measure.Stage;
import dev.resiliency.examples.bench.restart.Mark.Milestone;
import dev.resiliency.examples.bench.restart.RestartTimes.Part;
import java.time.Duration;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalInt;
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
        MarkBoard board,
        int activeRanks,
        Duration silence,
        @Nullable Launch launch) {

    /** The launch of a process, at this {@link System#nanoTime}. */
    record Launch(int process, long nanos) {}

    RestartTimes times() {
        long faultedAt = board.faultedAt().orElseThrow();
        Collection<Mark.RestartMark> reports = board.restarted(0).values();
        long last = board.restarted(0).keySet().stream()
                .mapToLong(
                        process -> requireNonNull(board.entered(1).get(process)).nanos())
                .max()
                .orElseThrow();
        long knew = reports.stream().mapToLong(Mark.RestartMark::knownAt).max().orElseThrow();
        Map<String, Long> phases = new TreeMap<>();
        reports.forEach(report -> report.phases().forEach((phase, nanos) -> phases.merge(phase, nanos, Math::max)));
        OptionalInt full = board.full(0, activeRanks);
        return new RestartTimes(
                last - faultedAt,
                full.isPresent() ? (Long) (lastEntry(full.getAsInt()) - faultedAt) : null,
                last - faultedAt - silence.toNanos(),
                lastReady(Milestone.GROUP) - faultedAt - silence.toNanos(),
                lastReady(Milestone.FIRST_STEP) - faultedAt - silence.toNanos(),
                knew - faultedAt - silence.toNanos(),
                phases,
                launch == null ? Map.of() : parts(launch, faultedAt, full.orElseThrow()));
    }

    /** Returns when the last survivor came this far in the first iteration after the fault. */
    private long lastReady(Milestone milestone) {
        Map<Integer, Long> ready = board.ready(1, milestone);
        return board.restarted(0).keySet().stream()
                .mapToLong(process -> requireNonNull(ready.get(process)))
                .max()
                .orElseThrow();
    }

    private Map<String, Long> parts(Launch started, long faultedAt, int full) {
        Map<Stage, Long> stages = board.stages(started.process());
        Map<Part, Long> ends = new LinkedHashMap<>();
        ends.put(Part.EXIT, started.nanos());
        ends.put(Part.JVM_START, requireNonNull(stages.get(Stage.STARTED)));
        ends.put(Part.CONNECTION, requireNonNull(stages.get(Stage.CONNECTED)));
        ends.put(Part.MONITOR_PROCESS, requireNonNull(stages.get(Stage.MONITORED)));
        ends.put(Part.ADMISSION, firstKnown(full - 1));
        ends.put(Part.RESTART, lastEntry(full));
        Map<String, Long> parts = new LinkedHashMap<>();
        long from = faultedAt;
        for (Map.Entry<Part, Long> end : ends.entrySet()) {
            parts.put(end.getKey().name(), end.getValue() - from);
            from = end.getValue();
        }
        return parts;
    }

    private long lastEntry(int iteration) {
        return board.entered(iteration).values().stream()
                .mapToLong(Mark.EntryMark::nanos)
                .max()
                .orElseThrow();
    }

    private long firstKnown(int interrupted) {
        return board.restarted(interrupted).values().stream()
                .mapToLong(Mark.RestartMark::knownAt)
                .min()
                .orElseThrow();
    }
}
