package dev.resiliency.examples;

import dev.resiliency.examples.bench.BenchCommand;
import dev.resiliency.examples.bench.chaos.ChaosRankCommand;
import dev.resiliency.examples.bench.restart.RestartRankCommand;
import dev.resiliency.examples.demo.DemoCommand;
import dev.resiliency.examples.demo.RankCommand;
import dev.resiliency.examples.gpu.GpuCheckCommand;
import dev.resiliency.examples.gpu.GpuCheckPartCommand;
import dev.resiliency.examples.gpu.GpuCommand;
import dev.resiliency.examples.gpu.GpuRankCommand;
import dev.resiliency.examples.timeline.TimelineCommand;
import java.util.Locale;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The command line of the examples. */
@Command(
        name = "resiliency-examples",
        description = "Examples of in-process restart.",
        subcommands = {
            DemoCommand.class,
            RankCommand.class,
            BenchCommand.class,
            RestartRankCommand.class,
            ChaosRankCommand.class,
            TimelineCommand.class,
            GpuCommand.class,
            GpuRankCommand.class,
            GpuCheckCommand.class,
            GpuCheckPartCommand.class
        })
public final class Examples {

    @Option(names = "--help", usageHelp = true, description = "Show this.")
    @SuppressWarnings("UnusedVariable") // only its annotation counts
    private boolean help;

    private Examples() {}

    /** Runs a command and ends with its exit code. */
    public static void main(String[] arguments) {
        Locale.setDefault(Locale.ROOT); // the output is for programs too
        System.exit(commandLine().execute(arguments));
    }

    static CommandLine commandLine() {
        return new CommandLine(new Examples()).setParameterExceptionHandler(Examples::tellWhatIsWrong);
    }

    private static int tellWhatIsWrong(ParameterException e, String[] arguments) {
        e.getCommandLine().getErr().println("error: " + e.getMessage() + " (--help tells more)");
        return CommandLine.ExitCode.USAGE;
    }
}
