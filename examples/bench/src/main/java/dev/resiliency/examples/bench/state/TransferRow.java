package dev.resiliency.examples.bench.state;

import dev.resiliency.examples.bench.measure.Median;
import java.util.List;

/**
 * How long it takes to bring the state of one survivor to joiners.
 *
 * @param megabytes the size of the state, in units of 2^20 bytes
 * @param joiners the number of ranks that receive it, at the same time
 * @param millis the median over all runs: how long the recovery of the slowest joiner takes
 * @param phases the medians of its phases
 * @param gigabytesPerSecond what all joiners together receive in that time, in units of 10^9 bytes
 * @param plainGigabytesPerSecond what one plain socket between two of the processes carries, in the same runs
 * @param ratio the former divided by the latter
 * @param runs the single runs
 */
record TransferRow(
        int megabytes,
        int joiners,
        double millis,
        PhaseNanos phases,
        double gigabytesPerSecond,
        double plainGigabytesPerSecond,
        double ratio,
        List<Run> runs) {

    /**
     * One run.
     *
     * @param nanos until the last joiner has the state
     * @param phases those of that joiner
     * @param plainNanos for the same bytes over one plain socket
     */
    record Run(long nanos, PhaseNanos phases, long plainNanos) {}

    static TransferRow of(int megabytes, int joiners, List<Run> runs) {
        double bytes = (double) megabytes * (1 << 20);
        double nanos = Median.of(runs, Run::nanos);
        double received = joiners * bytes / nanos;
        double plain = bytes / Median.of(runs, Run::plainNanos);
        PhaseNanos phases = PhaseNanos.medians(runs.stream().map(Run::phases).toList());
        return new TransferRow(
                megabytes, joiners, nanos / 1e6, phases, received, plain, received / plain, List.copyOf(runs));
    }

    static String header() {
        return "%9s %7s %4s | %8s %8s %8s %8s %8s | %6s %12s %7s"
                .formatted(
                        "megabytes",
                        "joiners",
                        "runs",
                        "ms",
                        "agree",
                        "connect",
                        "bytes",
                        "digest",
                        "GB/s",
                        "plain GB/s",
                        "× plain");
    }

    String row() {
        return "%9d %7d %4d | %8.1f %8.1f %8.1f %8.1f %8.1f | %6.2f %12.2f %7.2f"
                .formatted(
                        megabytes,
                        joiners,
                        runs.size(),
                        millis,
                        phases.agree() / 1e6,
                        phases.connect() / 1e6,
                        phases.fill() / 1e6,
                        phases.confirm() / 1e6,
                        gigabytesPerSecond,
                        plainGigabytesPerSecond,
                        ratio);
    }
}
