package dev.resiliency.examples.bench.logs;

import java.util.Locale;

/**
 * One rate.
 *
 * @param lines that the ranks wrote
 * @param bytes of the merged file
 * @param dropped lines that did not reach the files of the nodes
 * @param missing lines of those files that the merged file does not have, or has twice
 * @param writingNanos how long the ranks wrote
 * @param lagNanos from the last line of the ranks until the last line of the merged file
 * @param serverCpuMillis of the server
 * @param nodesCpuMillis of all nodes and simulated ranks together
 * @param serverPeakBytes peak resident memory of the server
 */
record LogRow(
        int nodes,
        int ranks,
        int rate,
        long lines,
        long bytes,
        long dropped,
        long missing,
        long writingNanos,
        long lagNanos,
        long serverCpuMillis,
        long nodesCpuMillis,
        long serverPeakBytes) {
    private static final long KEEPS_UP = 2_000_000_000L;

    /** Returns whether the merged file was complete within 2 s of the end. */
    boolean keepsUp() {
        return dropped == 0 && missing == 0 && lagNanos < KEEPS_UP;
    }

    private double seconds() {
        return (writingNanos + lagNanos) / 1e9;
    }

    static String header() {
        return "%5s %5s %6s | %9s %8s %7s | %8s %8s | %8s | %10s %9s %6s"
                .formatted(
                        "nodes",
                        "ranks",
                        "rate",
                        "lines",
                        "lines/s",
                        "MB/s",
                        "dropped",
                        "missing",
                        "lag, ms",
                        "server CPU",
                        "nodes CPU",
                        "MB");
    }

    String line() {
        return String.format(
                Locale.ROOT,
                "%5d %5d %6d | %9d %8.0f %7.1f | %8d %8d | %8.0f | %8.0f %% %7.0f %% %6.0f%s",
                nodes,
                ranks,
                rate,
                lines,
                lines / seconds(),
                bytes / 1e6 / seconds(),
                dropped,
                missing,
                lagNanos / 1e6,
                serverCpuMillis / 10.0 / seconds(),
                nodesCpuMillis / 10.0 / seconds(),
                serverPeakBytes / 1e6,
                keepsUp() ? "" : "  does not keep up");
    }
}
