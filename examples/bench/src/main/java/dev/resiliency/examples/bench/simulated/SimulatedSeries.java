package dev.resiliency.examples.bench.simulated;

import dev.resiliency.examples.bench.measure.Median;
import java.util.List;

/**
 * All jobs of one size.
 *
 * @param floor median nanoseconds of a fan-out by a program that does nothing else
 * @param first the very first restart, before the code of the server and of the leader is compiled
 * @param median medians of all counted restarts, value by value
 * @param ratio the median's total divided by the floor
 */
public record SimulatedSeries(
        int ranks, double floor, SimulatedRestart first, SimulatedRestart median, double ratio, List<Job> jobs) {
    /** Upper limit of the ratio with 16,384 ranks. */
    private static final double GOAL = 3.5;

    /**
     * One job on a store server of its own.
     *
     * @param floors nanoseconds of one fan-out by a program that does nothing else, before and after the job
     * @param first the first restart
     * @param restarts the counted restarts
     * @param residentBytes of the server, after the last restart
     */
    record Job(List<Long> floors, SimulatedRestart first, List<SimulatedRestart> restarts, long residentBytes) {
        double ratio() {
            return Median.of(restarts, SimulatedRestart::total) / Median.of(floors, Long::doubleValue);
        }
    }

    static SimulatedSeries of(int ranks, List<Job> jobs) {
        double floor =
                Median.of(jobs.stream().flatMap(job -> job.floors().stream()).toList(), Long::doubleValue);
        SimulatedRestart median = SimulatedRestart.medianOf(
                jobs.stream().flatMap(job -> job.restarts().stream()).toList());
        return new SimulatedSeries(
                ranks, floor, jobs.get(0).first(), median, median.total() / floor, List.copyOf(jobs));
    }

    /** Returns the line above the rows. */
    public static String header() {
        return "%6s | %8s %7s %6s %10s %7s | %8s %8s %8s | %8s %8s | %10s %8s %7s"
                .formatted(
                        "ranks",
                        "restart",
                        "× floor",
                        "goal",
                        "of jobs",
                        "floor",
                        "notified",
                        "stopped",
                        "assigned",
                        "first",
                        "CPU",
                        "messages",
                        "bytes",
                        "MB");
    }

    /** Returns the row for people, in milliseconds. */
    public String line() {
        double least = jobs.stream().mapToDouble(Job::ratio).min().orElseThrow();
        double greatest = jobs.stream().mapToDouble(Job::ratio).max().orElseThrow();
        long resident = jobs.stream().mapToLong(Job::residentBytes).max().orElseThrow();
        return "%6d | %8.1f %7.2f %6s %10s %7.1f | %8.1f %8.1f %8.1f | %8.1f %8d | %10.1f %8.0f %7.0f"
                .formatted(
                        ranks,
                        median.total() / 1e6,
                        ratio,
                        "≤ " + GOAL,
                        "%.1f - %.1f".formatted(least, greatest),
                        floor / 1e6,
                        median.notified() / 1e6,
                        median.allStopped() / 1e6,
                        median.assigned() / 1e6,
                        first.total() / 1e6,
                        median.cpuMillis(),
                        median.messages(),
                        median.bytes(),
                        resident / 1e6);
    }
}
