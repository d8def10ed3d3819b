package dev.resiliency.examples.bench.restart;

import dev.resiliency.examples.bench.measure.Machine;
import java.util.List;

/**
 * All runs of one fault with one profile.
 *
 * @param median medians of the runs, value by value
 * @param goalMillis upper limit of the median overhead in a job of 8 ranks
 */
record Series(String fault, String profile, int ranks, int goalMillis, RestartTimes median, List<RestartTimes> runs) {

    static Series of(BenchFault fault, BenchProfile profile, int ranks, List<RestartTimes> runs) {
        return new Series(
                fault.toString(),
                profile.toString(),
                ranks,
                goalMillis(fault, profile),
                RestartTimes.median(runs),
                List.copyOf(runs));
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
