package dev.resiliency.examples.bench.chaos;

import dev.resiliency.state.RecoveryReport.Source;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** Counts the results of a run. Confined to the thread of the run. */
final class Tally {
    static final String SEVERAL = "several at once";
    /** The label of volleys after which no member of the job was left. */
    static final String ALL = "all ranks, in a new generation";

    private static final int DIGITS = 3;

    private final Map<String, StrikeCount> rows = new TreeMap<>();
    private final Map<String, Histogram> latencies = new HashMap<>(); // by label
    private final Map<Integer, Integer> generations = new HashMap<>(); // by job
    private final Histogram fullAgain = new Histogram(DIGITS);
    private int replaced;
    private final List<Violation> violations = new ArrayList<>();
    private final Map<Disturbance, Integer> disturbances = new EnumMap<>(Disturbance.class);
    private final Map<Source, Integer> stateOrigins = new EnumMap<>(Source.class);
    private int refused;
    private int outagesAlone;
    private int outagesBeside;
    private long neighbourBytes;
    private int jobs;
    private int restarts;
    private int storeLosses;

    /** An invariant that was broken. */
    record Violation(int job, String what, String logs) {}

    /** All strikes of one kind at one place. */
    static final class StrikeCount {
        private int injected;
        private int toRecover;
        private int recovered;
        private int toLose;
        private int lost;
        private int overtaken;

        int injected() {
            return injected;
        }

        int toRecover() {
            return toRecover;
        }

        int recovered() {
            return recovered;
        }

        int toLose() {
            return toLose;
        }

        int lost() {
            return lost;
        }

        /** Another fault interrupted the iteration first, and its restart prevented this one. */
        int overtaken() {
            return overtaken;
        }
    }

    void job() {
        jobs++;
    }

    void restarts(int count) {
        restarts += count;
    }

    void storeLost() {
        storeLosses++;
    }

    /** Records a strike, and whether its rank survived. */
    void struck(Strike strike, boolean hasGoneOn, boolean isTold) {
        StrikeCount row = rows.computeIfAbsent(strike.label(), label -> new StrikeCount());
        row.injected++;
        row.toLose += strike.isDeadly() ? 1 : 0;
        row.toRecover += strike.isDeadly() ? 0 : 1;
        row.lost += hasGoneOn ? 0 : 1;
        row.recovered += hasGoneOn ? 1 : 0;
        row.overtaken += isTold || strike.isHarmless() || strike.isDeadly() ? 0 : 1;
    }

    /** Records how long a volley interrupted the training, by the label of a strike, {@link #SEVERAL} or {@link #ALL}. */
    void latency(String label, long nanos) {
        latencies.computeIfAbsent(label, key -> new Histogram(DIGITS)).recordValue(Math.max(0, nanos / 1000));
    }

    /** Records that a rank was started again. */
    void replaced() {
        replaced++;
    }

    /** Records how long it took after a loss until as many ranks trained as before. */
    void fullAgain(long nanos) {
        fullAgain.recordValue(Math.max(0, nanos / 1000));
    }

    /** Records the latest generation of a job. */
    void generations(int job, int latest) {
        generations.merge(job, latest, Math::max);
    }

    /** Records an outage that is over, alone or beside faults. */
    void outage(boolean alone) {
        disturbed(Disturbance.OUTAGE);
        outagesAlone += alone ? 1 : 0;
        outagesBeside += alone ? 0 : 1;
    }

    /** Records that a disturbance has begun. */
    void disturbed(Disturbance kind) {
        disturbances.merge(kind, 1, Integer::sum);
    }

    /** Records that a process that does not belong to the job was refused. */
    void refused() {
        refused++;
    }

    /** Records what a neighbour has written and read. */
    void neighbour(long bytes) {
        neighbourBytes += bytes;
    }

    /** Records how often ranks had their state from a source. */
    void recovered(Source source, int times) {
        stateOrigins.merge(source, times, Integer::sum);
    }

    void violation(int job, String what, String logs) {
        violations.add(new Violation(job, what, logs));
    }

    /** Returns the rows by the label of their strikes. */
    Map<String, StrikeCount> rows() {
        return rows;
    }

    /** Returns the microseconds until the last survivor was in its function again, by label. */
    Histogram latency(String label) {
        return latencies.getOrDefault(label, new Histogram(DIGITS));
    }

    /** Returns the microseconds from a loss until as many ranks trained as before. */
    Histogram fullAgain() {
        return fullAgain;
    }

    /** Returns how often a rank was started again. */
    int replacements() {
        return replaced;
    }

    /** Returns how often a job whose members were all lost began anew. */
    int generations() {
        return generations.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** Returns how often ranks had their state from each source, with zeros. */
    Map<Source, Integer> stateOrigins() {
        Map<Source, Integer> all = new EnumMap<>(Source.class);
        for (Source source : Source.values()) {
            all.put(source, stateOrigins.getOrDefault(source, 0));
        }
        return all;
    }

    List<Violation> violations() {
        return violations;
    }

    int jobs() {
        return jobs;
    }

    int restarts() {
        return restarts;
    }

    /** Returns how often each disturbance has happened; those that have not are absent. */
    Map<Disturbance, Integer> disturbances() {
        return disturbances;
    }

    /** Returns how many processes that do not belong to their job were refused. */
    int refusedProcesses() {
        return refused;
    }

    /** Returns how many outages happened without a fault, and so without a restart. */
    int outagesAlone() {
        return outagesAlone;
    }

    /** Returns how many outages happened together with faults. */
    int outagesBeside() {
        return outagesBeside;
    }

    /** Returns how many bytes neighbours have written and read. */
    long neighbourBytes() {
        return neighbourBytes;
    }

    /** Returns the number of jobs that ended because the host of their store was lost. */
    int storeLosses() {
        return storeLosses;
    }

    int injected() {
        return rows.values().stream().mapToInt(StrikeCount::injected).sum();
    }
}
