package dev.resiliency.examples.bench.scale;

import dev.resiliency.examples.bench.Median;
import java.util.List;

/**
 * One restart. Times are nanoseconds since the interruption was sent to the store.
 *
 * @param total when the last rank had its new state
 * @param told when the last rank had been told
 * @param allStopped when the leader knew that all ranks had arrived
 * @param assigned when the leader had computed the assignment
 * @param cpuMillis how long the server ran
 * @param messages that a rank but the leader sent and received, on average
 * @param bytes in them
 */
record ScaleSample(
        long total, long told, long allStopped, long assigned, long cpuMillis, double messages, double bytes) {
    /** The median of each value by itself. */
    static ScaleSample medianOf(List<ScaleSample> restarts) {
        return new ScaleSample(
                (long) Median.of(restarts, ScaleSample::total),
                (long) Median.of(restarts, ScaleSample::told),
                (long) Median.of(restarts, ScaleSample::allStopped),
                (long) Median.of(restarts, ScaleSample::assigned),
                (long) Median.of(restarts, ScaleSample::cpuMillis),
                Median.of(restarts, ScaleSample::messages),
                Median.of(restarts, ScaleSample::bytes));
    }
}
