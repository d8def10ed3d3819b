package dev.resiliency.examples.bench.launch;

import dev.resiliency.examples.bench.launch.LaunchRun.Replacement;
import dev.resiliency.examples.bench.launch.LaunchRun.Times;
import dev.resiliency.examples.bench.measure.Machine;
import dev.resiliency.examples.bench.measure.Runs;
import dev.resiliency.examples.bench.measure.Table;
import dev.resiliency.examples.job.JsonOption;
import dev.resiliency.examples.job.Program.Mistake;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.EnumMap;
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
        Map<Replacement, List<Times>> times = new EnumMap<>(Replacement.class);
        for (int run = 1; run <= runs; run++) {
            for (Replacement how : cases) { // in turns, since the speed of a machine varies by the minute
                String name = "%s: run %d of %d".formatted(how, run, runs);
                attempts.add(times.computeIfAbsent(how, key -> new ArrayList<>()), name, directory -> {
                    Times measured = new LaunchRun(how, ranks, backoff, directory).measure();
                    System.err.printf("%s: %.1f ms%n", name, measured.total() / 1e6);
                    return measured;
                });
            }
        }
        times.values().removeIf(List::isEmpty);
        Table<LaunchSeries> table = LaunchSeries.table();
        out.println(table.header());
        List<LaunchSeries> all = new ArrayList<>();
        times.forEach((how, measured) -> all.add(LaunchSeries.of(how, ranks, measured)));
        all.forEach(series -> out.println(table.line(series)));
        return all;
    }

    private void check() {
        if (ranks < 2) {
            throw new Mistake("--ranks must be at least 2, since rank 1 is killed");
        }
        if (runs < 1) {
            throw new Mistake("--runs must be at least 1");
        }
        json.check();
    }
}
