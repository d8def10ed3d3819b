package dev.resiliency.examples.bench.restart;

import dev.resiliency.examples.bench.Machine;
import java.util.List;

/**
 * All runs of one fault with one profile.
 *
 * @param median of the runs, each value by itself
 * @param goalMillis what the median of the overhead is to be at most in a job of 8 ranks
 */
record Series(String fault, String profile, int ranks, int goalMillis, Measurement median, List<Measurement> runs) {

    static Series of(BenchFault fault, BenchProfile profile, int ranks, List<Measurement> runs) {
        return new Series(
                fault.toString(),
                profile.toString(),
                ranks,
                goalMillis(fault, profile),
                Measurement.median(runs),
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

    /** What came of all runs, for {@code --json}. */
    record Report(Machine machine, List<Series> series) {}
}
