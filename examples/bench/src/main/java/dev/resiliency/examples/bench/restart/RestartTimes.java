package dev.resiliency.examples.bench.restart;

import static java.util.Objects.requireNonNull;

import dev.resiliency.examples.bench.measure.Median;
import dev.resiliency.examples.bench.restart.Mark.Kind;
import dev.resiliency.inprocess.RestartReport.Phase;
import java.time.Duration;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;

/**
 * Times of one restart, in nanoseconds. Pure.
 *
 * @param total from the fault until the last survivor had re-entered the function
 * @param fullWorld from the fault until the function ran on as many ranks as before; 0 if it never did
 * @param overhead the total without the timeout before which the fault cannot be detected
 * @param group the same until the last survivor could communicate with the others
 * @param firstStep the same until the last survivor had done its first step
 * @param detection from the fault, or the end of that timeout, until the last survivor learned of it
 * @param phases phases of the restart, each on the rank where it took longest
 * @param recovery the slowest recovery of state from other ranks; 0 if there was none
 */
record RestartTimes(
        long total,
        long fullWorld,
        long overhead,
        long group,
        long firstStep,
        long detection,
        Map<String, Long> phases,
        long recovery) {

    /** The phases of each restart; the function of this benchmark fails once, so it is never slowed down. */
    static final Set<Phase> PHASES = EnumSet.complementOf(EnumSet.of(Phase.BACK_OFF));

    /**
     * Computes the times of a job from its marks: the restart after iteration 0, which the fault caused, and the way back to the full
     * world.
     *
     * @param activeRanks the number of active ranks before the fault
     * @param silence the time after the fault before which it cannot be detected
     */
    static RestartTimes of(Mark.Board board, int activeRanks, Duration silence) {
        long faultedAt = board.faultedAt().orElseThrow();
        long detectable = faultedAt + silence.toNanos();
        Map<Integer, Mark> reports = board.of(Kind.RESTARTED, 0);
        Set<Integer> survivors = reports.keySet();
        long last = last(board.of(Kind.ENTERED, 1), survivors);
        Map<String, Long> phases = new TreeMap<>();
        reports.values()
                .forEach(report -> report.values().forEach((phase, nanos) -> phases.merge(phase, nanos, Math::max)));
        OptionalInt full = board.full(activeRanks);
        Map<Integer, Mark> entered = board.of(Kind.ENTERED, full.orElse(0));
        return new RestartTimes(
                last - faultedAt,
                full.isPresent() ? last(entered, entered.keySet()) - faultedAt : 0,
                last - detectable,
                last(board.of(Kind.GROUP, 1), survivors) - detectable,
                last(board.of(Kind.FIRST_STEP, 1), survivors) - detectable,
                last(reports, survivors) - detectable,
                phases,
                board.of(Kind.GROUP, full.orElse(0)).values().stream()
                        .mapToLong(mark -> mark.value(Mark.FROM_PEERS))
                        .max()
                        .orElse(0));
    }

    /** Returns when the last of these had come this far. */
    private static long last(Map<Integer, Mark> marks, Set<Integer> processes) {
        return processes.stream()
                .mapToLong(process -> requireNonNull(marks.get(process)).nanos())
                .max()
                .orElseThrow();
    }

    /** Returns the medians of several restarts, value by value. */
    static RestartTimes median(List<RestartTimes> all) {
        Map<String, Long> phases = new LinkedHashMap<>();
        for (Phase phase : PHASES) {
            phases.put(phase.name(), Median.nanos(all, times -> times.phase(phase)));
        }
        return new RestartTimes(
                Median.nanos(all, RestartTimes::total),
                Median.nanos(all, RestartTimes::fullWorld),
                Median.nanos(all, RestartTimes::overhead),
                Median.nanos(all, RestartTimes::group),
                Median.nanos(all, RestartTimes::firstStep),
                Median.nanos(all, RestartTimes::detection),
                phases,
                Median.nanos(all, RestartTimes::recovery));
    }

    /** Returns how long a phase took, in nanoseconds. */
    long phase(Phase phase) {
        return phases.getOrDefault(phase.name(), 0L);
    }
}
