package dev.resiliency.examples.bench.launch;

import dev.resiliency.examples.bench.launch.LaunchRun.Replacement;
import dev.resiliency.examples.bench.launch.LaunchRun.Times;
import dev.resiliency.examples.bench.measure.Machine;
import dev.resiliency.examples.bench.measure.Runs;
import dev.resiliency.examples.bench.measure.Table;
import dev.resiliency.examples.job.JsonOption;
import dev.resiliency.examples.job.Program;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench launch}: measures the agents of {@code resiliency run}. */
@Command(
        name = "launch",
        sortOptions = false,
        customSynopsis =
                "bench.sh launch [--ranks N] [--replace KIND]... [--backoff MIN:MAX] [--runs N]" + " [--json FILE]",
        descriptionHeading = "%n",
        description = {
            "Starts a job under 'resiliency run', kills one of its ranks with SIGKILL, and measures the time until the"
                    + " function runs on as many ranks as before. Every run is a new job.",
            "",
        },
        footerHeading = "%nReplacements:%n",
        footer = {
            "  spare         policy soft, and a spare process, which steps in",
            "  fresh         policy soft: the rank is started again, and joins",
            "  hard          policy hard: all ranks end, and start again",
            "",
            "Columns, in milliseconds: from the SIGKILL until the full world runs (median, min, max); and of the median until",
            "the program of the last new process has begun, after the agent's pause (--backoff), and until it trains."
        })
public final class LaunchBenchCommand implements Callable<Integer> {
    @Option(
            names = "--ranks",
            paramLabel = "N",
            defaultValue = "4",
            description = "Number of ranks of the job (default: ${DEFAULT-VALUE}).")
    private int ranks;

    @Option(
            names = "--replace",
            paramLabel = "KIND",
            split = ",",
            description = "How the rank is replaced: ${COMPLETION-CANDIDATES} (default: all). May be repeated.")
    private List<Replacement> cases = List.of(Replacement.values());

    @Option(
            names = "--backoff",
            paramLabel = "MIN:MAX",
            defaultValue = "1s:60s",
            description = "As 'resiliency run' has it (default: ${DEFAULT-VALUE}).")
    private String backoff = "1s:60s";

    @Option(
            names = "--runs",
            paramLabel = "N",
            defaultValue = "5",
            description = "Number of jobs per row (default: ${DEFAULT-VALUE}).")
    private int runs;

    @Mixin
    private JsonOption json = new JsonOption();

    private final Runs attempts = new Runs();

    @Override
    public Integer call() throws IOException, InterruptedException {
        check();
        Machine machine = Machine.current();
        System.out.println(machine);
        json.write(new LaunchSeries.Report(machine, measure(System.out)));
        return attempts.exitCode();
    }

    private List<LaunchSeries> measure(PrintStream out) throws IOException, InterruptedException {
        Map<Replacement, List<Times>> times = attempts.inTurns(
                "launch",
                cases,
                runs,
                (how, directory) -> new LaunchRun(how, ranks, backoff, directory).measure(),
                Times::total);
        Table<LaunchSeries> table = LaunchSeries.table();
        out.println(table.header());
        List<LaunchSeries> all = new ArrayList<>();
        times.forEach((how, measured) -> all.add(LaunchSeries.of(how, ranks, measured)));
        all.forEach(series -> out.println(table.line(series)));
        return all;
    }

    private void check() {
        Program.require(ranks >= 2, "--ranks must be at least 2, since rank 1 is killed");
        Program.require(runs >= 1, "--runs must be at least 1");
        json.check();
    }
}
