package dev.resiliency.examples.bench.restart;

import dev.resiliency.examples.bench.measure.Machine;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * All runs of one training and one fault, with one profile and one replacement.
 *
 * @param ratio the median time until the full world ran, divided by the median time until the survivors ran in jobs without
 *     a replacement, which took turns with these; null except with a spare
 * @param median medians of the runs, value by value
 * @param goalMillis upper limit of the median overhead in a job of 8 ranks
 */
record Series(
        String training,
        String fault,
        String profile,
        String replace,
        int ranks,
        int goalMillis,
        @Nullable Double ratio,
        RestartTimes median,
        List<RestartTimes> runs) {

    static Series of(
            String training,
            BenchFault fault,
            BenchProfile profile,
            Replacement replacement,
            int ranks,
            List<RestartTimes> runs) {
        return new Series(
                training,
                fault.toString(),
                profile.toString(),
                replacement.toString(),
                ranks,
                goalMillis(fault, profile),
                null,
                RestartTimes.median(runs),
                List.copyOf(runs));
    }

    /** Returns this series with its ratio to one without replacement. */
    Series beside(Series without) {
        Long full = median.fullWorld();
        return new Series(
                training,
                fault,
                profile,
                replace,
                ranks,
                goalMillis,
                full == null ? null : (Double) ((double) full / without.median.total()),
                median,
                runs);
    }

    private static int goalMillis(BenchFault fault, BenchProfile profile) {
        return switch (fault) {
            case EXCEPTION -> profile == BenchProfile.TIGHT ? 25 : 50;
            case KILL -> profile == BenchProfile.TIGHT ? 30 : 60;
            case STOP_PING, BLOCKED -> 60;
            case BLOCKED_READ -> 150;
        };
    }

    /** Result of all runs, as {@code --json} writes it. */
    record RestartBenchReport(Machine machine, List<Series> series) {}
}
