package dev.resiliency.examples.bench.restart;

import dev.resiliency.examples.bench.measure.Median;
import dev.resiliency.inprocess.RestartReport.Phase;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Times of one restart, in nanoseconds.
 *
 * @param total from the fault until the last survivor had re-entered the function
 * @param fullWorld from the fault until the function ran on as many ranks as before; null if it never did
 * @param overhead the total without the timeout before which the fault cannot be detected
 * @param group the same until the last survivor could communicate with the others
 * @param firstStep the same until the last survivor had done its first step
 * @param detection from the fault, or the end of that timeout, until the last survivor learned of it
 * @param phases phases of the restart, each on the rank where it took longest
 * @param parts what the time until the full world ran consists of if a new process was started, by {@link Part}; else
 *     empty
 * @param recovery the slowest recovery of state from other ranks, and its phases; empty if there was none
 */
record RestartTimes(
        long total,
        @Nullable Long fullWorld,
        long overhead,
        long group,
        long firstStep,
        long detection,
        Map<String, Long> phases,
        Map<String, Long> parts,
        Map<String, Long> recovery) {

    /** The phases of each restart; the function of this benchmark fails once, so it is never slowed down. */
    static final Set<Phase> PHASES = EnumSet.complementOf(EnumSet.of(Phase.BACK_OFF));

    /** What happens from the fault until a new process has taken the place of the lost one, in this order. */
    enum Part {
        /** Until the old process had ended and the new one was launched. */
        EXIT,
        /** Until the program of the new one called the wrapper. */
        JVM_START,
        /** Until it was connected to the store. */
        CONNECTION,
        /** Until its monitor process watched it. */
        MONITOR_PROCESS,
        /** Until the first rank of the job learned that the job restarts for it. */
        ADMISSION,
        /** Until the last rank had entered the function. */
        RESTART
    }

    /** Returns how long a phase took, in nanoseconds. */
    long phase(Phase phase) {
        return phases.getOrDefault(phase.name(), 0L);
    }

    /** Returns the time until the full world ran; 0 if it never did. */
    static long fullWorldOf(RestartTimes times) {
        return times.fullWorld == null ? 0 : times.fullWorld;
    }

    /** Returns the medians of several restarts, value by value. */
    static RestartTimes median(List<RestartTimes> all) {
        List<Long> full = all.stream()
                .flatMap(each -> Optional.ofNullable(each.fullWorld()).stream())
                .toList();
        return new RestartTimes(
                median(all, RestartTimes::total),
                full.size() == all.size() ? (Long) (long) Median.of(full, Long::doubleValue) : null,
                median(all, RestartTimes::overhead),
                median(all, RestartTimes::group),
                median(all, RestartTimes::firstStep),
                median(all, RestartTimes::detection),
                medians(PHASES.stream().map(Phase::name).toList(), all, RestartTimes::phases),
                medians(all.get(0).parts.keySet(), all, RestartTimes::parts),
                medians(all.get(0).recovery.keySet(), all, RestartTimes::recovery));
    }

    private static Map<String, Long> medians(
            Collection<String> names, List<RestartTimes> all, Function<RestartTimes, Map<String, Long>> values) {
        Map<String, Long> medians = new LinkedHashMap<>();
        names.forEach(name ->
                medians.put(name, median(all, each -> values.apply(each).getOrDefault(name, 0L))));
        return medians;
    }

    private static long median(List<RestartTimes> all, ToDoubleFunction<RestartTimes> value) {
        return (long) Median.of(all, value);
    }
}
