package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.measure.Machine;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Result of a run, as {@code --json} writes it.
 *
 * @param replaced how often a rank was started again
 * @param generations how often a job that had lost all ranks began anew
 * @param stateFrom how often a rank had its state from its own memory, from peers, and from the checkpoint
 * @param fullWorld from a loss until as many ranks trained as before
 */
record ChaosReport(
        Machine machine,
        long seed,
        int ranks,
        double minutes,
        int jobs,
        int faults,
        int restarts,
        int storeLosses,
        int replaced,
        int generations,
        Map<String, Integer> stateFrom,
        List<StrikeResult> rows,
        @Nullable Latency severalAtOnce,
        @Nullable Latency allAtOnce,
        @Nullable Latency fullWorld,
        Disturbed disturbed,
        List<Tally.Violation> violations) {

    /** All strikes of one kind at one place. */
    record StrikeResult(
            String fault,
            int injected,
            int recovered,
            int expectedToRecover,
            int lost,
            int expectedToBeLost,
            int overtaken,
            @Nullable Latency latency) {}

    /** How often each disturbance happened, by its name, and what came of them. */
    record Disturbed(
            Map<String, Integer> counts,
            int outagesAlone,
            int outagesBesideFaults,
            int processesRefused,
            long neighbourBytes) {
        static Disturbed of(Tally tally) {
            Map<String, Integer> counts = new LinkedHashMap<>();
            tally.disturbances().forEach((kind, count) -> counts.put(kind.toString(), count));
            return new Disturbed(
                    counts,
                    tally.outagesAlone(),
                    tally.outagesBeside(),
                    tally.refusedProcesses(),
                    tally.neighbourBytes());
        }
    }

    /** Milliseconds; unless said otherwise, until the last survivor was in its function again. */
    record Latency(long count, double p50, double p90, double p99, double max) {
        static @Nullable Latency of(Histogram micros) {
            return micros.getTotalCount() == 0
                    ? null
                    : new Latency(
                            micros.getTotalCount(),
                            micros.getValueAtPercentile(50) / 1e3,
                            micros.getValueAtPercentile(90) / 1e3,
                            micros.getValueAtPercentile(99) / 1e3,
                            micros.getMaxValue() / 1e3);
        }
    }

    private static Map<String, Integer> stateFrom(Tally tally) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        tally.stateOrigins().forEach((source, count) -> counts.put(source.name().toLowerCase(Locale.ROOT), count));
        return counts;
    }

    static ChaosReport of(Tally tally, Machine machine, long seed, int ranks, double minutes) {
        List<StrikeResult> rows = new ArrayList<>();
        tally.rows()
                .forEach((fault, row) -> rows.add(new StrikeResult(
                        fault,
                        row.injected(),
                        row.recovered(),
                        row.toRecover(),
                        row.lost(),
                        row.toLose(),
                        row.overtaken(),
                        Latency.of(tally.latency(fault)))));
        return new ChaosReport(
                machine,
                seed,
                ranks,
                minutes,
                tally.jobs(),
                tally.injected(),
                tally.restarts(),
                tally.storeLosses(),
                tally.replacements(),
                tally.generations(),
                stateFrom(tally),
                rows,
                Latency.of(tally.latency(Tally.SEVERAL)),
                Latency.of(tally.latency(Tally.ALL)),
                Latency.of(tally.fullAgain()),
                Disturbed.of(tally),
                tally.violations());
    }
}
