package dev.resiliency.examples.bench;

import dev.resiliency.examples.bench.chaos.ChaosCommand;
import dev.resiliency.examples.bench.launch.LaunchBenchCommand;
import dev.resiliency.examples.bench.restart.RestartBenchCommand;
import dev.resiliency.examples.bench.store.StoreCommand;
import dev.resiliency.examples.job.Program;
import picocli.CommandLine.Command;

/** {@code bench}: runs a benchmark per subcommand. */
@Command(
        name = "bench",
        customSynopsis = "bench.sh BENCHMARK [OPTION]...",
        description = "Measures the library on this machine, and breaks jobs at random.",
        subcommands = {StoreCommand.class, RestartBenchCommand.class, LaunchBenchCommand.class, ChaosCommand.class})
public final class BenchCommand {

    /** Runs this program. */
    public static void main(String[] arguments) {
        Program.run(new BenchCommand(), arguments);
    }
}
