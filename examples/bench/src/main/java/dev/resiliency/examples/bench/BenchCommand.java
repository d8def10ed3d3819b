package dev.resiliency.examples.bench;

import dev.resiliency.examples.bench.chaos.ChaosCommand;
import dev.resiliency.examples.bench.restart.RestartBenchCommand;
import dev.resiliency.examples.bench.scale.ScaleCommand;
import dev.resiliency.examples.bench.store.StoreCommand;
import dev.resiliency.examples.job.Program;
import dev.resiliency.examples.timeline.TimelineCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code bench}: a benchmark for each sub-command. */
@Command(
        name = "bench",
        customSynopsis = "bench.sh BENCHMARK [OPTION]...",
        description = "Measures on this machine, beside what others take for the same.",
        subcommands = {
            StoreCommand.class,
            RestartBenchCommand.class,
            ChaosCommand.class,
            ScaleCommand.class,
            TimelineCommand.class
        })
public final class BenchCommand {

    @Option(names = "--help", usageHelp = true, description = "Show this.")
    @SuppressWarnings("UnusedVariable") // only its annotation counts
    private boolean help;

    /** For picocli. */
    public BenchCommand() {}

    /** Runs this program. */
    public static void main(String[] arguments) {
        Program.run(new BenchCommand(), arguments);
    }
}
