package dev.resiliency.examples.bench.simulated;

import dev.resiliency.examples.bench.measure.Median;
import java.util.List;

/**
 * One restart. Times are nanoseconds since the interruption was sent to the store.
 *
 * @param total when the last rank had its new state
 * @param notified when the last rank had learned of it
 * @param allStopped when the leader learned that all ranks had arrived
 * @param assigned when the leader had computed the assignment
 * @param cpuMillis CPU time of the server
 * @param messages messages that a rank other than the leader sent and received, on average
 * @param bytes of these messages
 */
record SimulatedRestart(
        long total, long notified, long allStopped, long assigned, long cpuMillis, double messages, double bytes) {
    /** Returns the medians, value by value. */
    static SimulatedRestart medianOf(List<SimulatedRestart> restarts) {
        return new SimulatedRestart(
                (long) Median.of(restarts, SimulatedRestart::total),
                (long) Median.of(restarts, SimulatedRestart::notified),
                (long) Median.of(restarts, SimulatedRestart::allStopped),
                (long) Median.of(restarts, SimulatedRestart::assigned),
                (long) Median.of(restarts, SimulatedRestart::cpuMillis),
                Median.of(restarts, SimulatedRestart::messages),
                Median.of(restarts, SimulatedRestart::bytes));
    }
}
