package dev.resiliency.examples.bench.launch;

import dev.resiliency.examples.bench.launch.LaunchRun.Replacement;
import dev.resiliency.examples.bench.launch.LaunchRun.Times;
import dev.resiliency.examples.bench.measure.Machine;
import dev.resiliency.examples.bench.measure.Runs;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench launch}: measures the agents of {@code resiliency run}. */
@Command(
        name = "launch",
        sortOptions = false,
        customSynopsis = "bench.sh launch [--ranks N] [--replace KIND]... [--runs N] [--json FILE]",
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
            "the program of the last new process has begun, and until it trains."
        })
public final class LaunchBenchCommand implements Callable<Integer> {
    @Mixin
    private Runs runs = new Runs(4, 5);

    @Option(
            names = "--replace",
            paramLabel = "KIND",
            split = ",",
            description = "How the rank is replaced: ${COMPLETION-CANDIDATES} (default: all). May be repeated.")
    private List<Replacement> cases = List.of(Replacement.values());

    @Override
    public Integer call() throws IOException, InterruptedException {
        runs.check();
        Machine machine = Machine.current();
        List<LaunchSeries> all = runs.inTurns(
                cases,
                (how, directory) -> new LaunchRun(how, runs.ranks(), directory).measure(),
                Times::total,
                (how, measured) -> LaunchSeries.of(how, runs.ranks(), measured));
        LaunchSeries.table().lines(machine.toString(), all).forEach(System.out::println);
        return runs.report(machine, all);
    }
}
