package dev.resiliency.examples.bench.scale;

import dev.resiliency.examples.bench.measure.Median;
import java.util.List;

/**
 * All jobs of one size into which many processes came at once.
 *
 * @param joiners how many came
 * @param restarts the most restarts that it took to take them in
 * @param without median nanoseconds of a restart without them
 * @param with median nanoseconds of the restart that took them in
 * @param first the same for the first job of a server
 * @param ratio the latter divided by the former
 */
record JoinRow(
        int ranks,
        int joiners,
        int restarts,
        double without,
        double with,
        double first,
        double ratio,
        List<JoinSample> jobs) {
    static JoinRow of(int ranks, int joiners, List<JoinSample> jobs) {
        double without =
                Median.of(jobs.stream().flatMap(job -> job.without().stream()).toList(), Long::doubleValue);
        double with = Median.of(jobs, JoinSample::with);
        return new JoinRow(
                ranks,
                joiners,
                jobs.stream().mapToInt(JoinSample::restarts).max().orElseThrow(),
                without,
                with,
                Median.of(jobs, JoinSample::first),
                with / without,
                List.copyOf(jobs));
    }

    static List<String> header() {
        return List.of("%6s %7s | %8s | %10s %10s %6s %10s"
                .formatted("ranks", "joiners", "restarts", "without", "with", "ratio", "first"));
    }

    String line() {
        return "%6d %7d | %8d | %10.1f %10.1f %6.2f %10.1f"
                .formatted(ranks, joiners, restarts, without / 1e6, with / 1e6, ratio, first / 1e6);
    }
}
