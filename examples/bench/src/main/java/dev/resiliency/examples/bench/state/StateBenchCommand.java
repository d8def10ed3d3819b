package dev.resiliency.examples.bench.state;

import dev.resiliency.examples.bench.measure.Machine;
import dev.resiliency.examples.bench.measure.Median;
import dev.resiliency.examples.bench.measure.Runs;
import dev.resiliency.examples.bench.state.StateJob.MeasuredState;
import dev.resiliency.examples.job.JsonOption;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench state}: measures the recovery from a peer's memory. */
@Command(
        name = "state",
        sortOptions = false,
        customSynopsis = {
            "bench.sh state [--megabytes N,...] [--joiners N,...] [--runs N] [--no-faults]",
            "                      [--ranks N] [--step-millis N] [--checkpoint-interval N] [--json FILE]"
        },
        descriptionHeading = "%n",
        description = {
            "Measures what LiveState gains and costs, in jobs of real processes on this machine:",
            "",
            "1. The transfer: all ranks but one are killed and replaced, and receive the state of the survivor. The"
                    + " time is that of the recovery, from its call until all ranks have the same state, agreement and"
                    + " digest included. Beside it, in the same run, one of the processes sends the same bytes to"
                    + " another over one plain socket.",
            "2. A commit, besides the user's update.",
            "3. A fault: a rank is killed half-way between two checkpoints, and a spare or a fresh process takes its"
                    + " place. The time is that from the kill until all ranks have completed the step after the last one"
                    + " before, less that step itself: what the fault costs. With the state in memory, and with the"
                    + " checkpoint alone.",
            ""
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  bench.sh state",
            "  bench.sh state --megabytes 16,256,1024 --joiners 1,4 --json state.json",
            "  bench.sh state --no-faults --megabytes 256 --joiners 1 --runs 5"
        })
public final class StateBenchCommand implements Callable<Integer> {
    private static final int MOST_MEGABYTES = 2047; // of one buffer
    private static final int MOST_JOINERS = 32;

    @Spec
    private CommandSpec spec = CommandSpec.create(); // picocli injects the real one

    @Option(
            names = "--megabytes",
            paramLabel = "N",
            split = ",",
            defaultValue = "16,256",
            description = "Sizes of the state (default: ${DEFAULT-VALUE}). Each process needs as much memory.")
    private List<Integer> megabytes = List.of();

    @Option(
            names = "--joiners",
            paramLabel = "N",
            split = ",",
            defaultValue = "1,4",
            description = "Numbers of ranks that receive the state at the same time (default: ${DEFAULT-VALUE}).")
    private List<Integer> joiners = List.of();

    @Option(
            names = "--runs",
            paramLabel = "N",
            defaultValue = "3",
            description = "Number of jobs per row (default: ${DEFAULT-VALUE}).")
    private int runs;

    @Option(names = "--no-faults", description = "Leave out the third measurement.")
    private boolean noFaults;

    @Option(
            names = "--ranks",
            paramLabel = "N",
            defaultValue = "3",
            description = "Number of ranks of the jobs with a fault (default: ${DEFAULT-VALUE}).")
    private int ranks;

    @Option(
            names = "--step-millis",
            paramLabel = "N",
            defaultValue = "20",
            description = "How long a step takes in them (default: ${DEFAULT-VALUE}).")
    private int stepMillis;

    @Option(
            names = "--checkpoint-interval",
            paramLabel = "N",
            defaultValue = "200",
            description = "Steps from one checkpoint to the next in them (default: ${DEFAULT-VALUE}). Their state has"
                    + " the first size.")
    private int checkpointInterval;

    @Mixin
    private JsonOption json = new JsonOption();

    private final Runs attempts = new Runs();

    /**
     * Result, as {@code --json} writes it.
     *
     * @param commitNanos what a commit takes besides the update: the median over all runs
     */
    record Report(Machine machine, List<TransferRow> transfers, double commitNanos, List<FaultRow> faults) {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        check();
        Machine machine = Machine.current();
        PrintStream out = System.out;
        List<TransferRow> transfers = new ArrayList<>();
        List<Double> commits = new ArrayList<>();
        out.println(TransferRow.header());
        for (int size : megabytes) {
            for (int count : joiners) {
                transfer(size, count, commits).ifPresent(row -> {
                    transfers.add(row);
                    out.println(row.row());
                });
            }
        }
        double commitNanos = commits.isEmpty() ? Double.NaN : Median.of(commits, Double::doubleValue);
        out.printf("%nA commit takes %.0f ns besides the update.%n", commitNanos);
        List<FaultRow> faults = noFaults ? List.of() : faults(out);
        json.write(new Report(machine, transfers, commitNanos, faults));
        return attempts.exitCode();
    }

    private void check() {
        checkRange("--megabytes", megabytes, MOST_MEGABYTES);
        checkRange("--joiners", joiners, MOST_JOINERS);
        checkRange("--runs", List.of(runs), Integer.MAX_VALUE);
        checkRange("--step-millis", List.of(stepMillis), Integer.MAX_VALUE);
        checkRange("--checkpoint-interval", List.of(checkpointInterval), Integer.MAX_VALUE);
        if (ranks < 2) {
            throw new ParameterException(spec.commandLine(), "--ranks must be at least 2, since rank 1 is killed");
        }
        json.check();
    }

    private void checkRange(String option, List<Integer> values, int most) {
        for (int value : values) {
            if (value < 1 || value > most) {
                throw new ParameterException(
                        spec.commandLine(), "%s: %d must be from 1 to %d".formatted(option, value, most));
            }
        }
    }

    /** Returns the row of all runs that did not fail; empty if there is none. */
    private Optional<TransferRow> transfer(int size, int count, List<Double> commits) throws InterruptedException {
        List<StateMeasurement.Transfer> done = new ArrayList<>();
        for (int run = 1; run <= runs; run++) {
            attempts.add(
                    done,
                    "%d MB to %d joiners: run %d of %d".formatted(size, count, run, runs),
                    () -> StateMeasurement.transfer(size, count));
        }
        done.forEach(transfer -> commits.add(transfer.commitNanos()));
        return done.isEmpty()
                ? Optional.empty()
                : Optional.of(TransferRow.of(
                        size,
                        count,
                        done.stream().map(StateMeasurement.Transfer::run).toList()));
    }

    private List<FaultRow> faults(PrintStream out) throws InterruptedException {
        out.printf(
                "%nA rank of %d is killed, %d steps of %d ms after a checkpoint of %d MB:%n%s%n",
                ranks, checkpointInterval / 2, stepMillis, megabytes.get(0), FaultRow.header());
        List<FaultRow> rows = new ArrayList<>();
        for (boolean hasSpare : new boolean[] {true, false}) {
            for (boolean isLive : new boolean[] {true, false}) {
                List<FaultRow.Run> done = new ArrayList<>();
                MeasuredState measured =
                        new MeasuredState(megabytes.get(0) << 20, stepMillis, checkpointInterval, isLive);
                String replacement = hasSpare ? "spare" : "fresh";
                for (int run = 1; run <= runs; run++) {
                    attempts.add(
                            done,
                            "%s, %s: run %d of %d".formatted(replacement, isLive ? "memory" : "checkpoint", run, runs),
                            () -> StateMeasurement.fault(ranks, hasSpare, measured));
                }
                if (!done.isEmpty()) {
                    FaultRow row = FaultRow.of(replacement, isLive, done);
                    rows.add(row);
                    out.println(row.row());
                }
            }
        }
        return rows;
    }
}
