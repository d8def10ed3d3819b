package dev.resiliency.launcher.cli;

import dev.resiliency.launcher.ExitCode;
import dev.resiliency.launcher.log.LauncherLog;
import dev.resiliency.launcher.log.LogFiles;
import dev.resiliency.launcher.log.LogReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code resiliency logs}. */
@Command(
        name = "logs",
        description =
                "Prints the log files that 'resiliency run --per-cycle-applog-prefix' keeps, on the host that has them.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        subcommands = LogServerCommand.class,
        footer = {"", "Example:", "  resiliency logs /logs/train --follow --rank 3"})
final class LogsCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create(); // picocli injects the real one

    @Parameters(
            arity = "0..1",
            paramLabel = "PREFIX",
            description = "As of --per-cycle-applog-prefix. The file of the latest cycle is printed.")
    private @Nullable Path prefix;

    @Option(
            names = {"-f", "--follow"},
            description = "Go on with what is written from now on, in later cycles as well.")
    private boolean follows;

    @Option(
            names = "--cycle",
            paramLabel = "N",
            description = "Print the file of this cycle instead, and no later one.")
    private @Nullable Integer cycle;

    @Option(names = "--rank", paramLabel = "N", description = "Print only the lines of this rank.")
    private @Nullable Integer rank;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (prefix == null) {
            throw new ParameterException(spec.commandLine(), "the prefix of the log files is missing");
        }
        LogFiles files;
        try {
            files = LogFiles.of(prefix);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
        int first = cycle == null
                ? files.latestCycle().orElseThrow(() -> new IOException("there is no log file " + files))
                : cycle;
        LogReader reader = new LogReader(
                files, rank == null ? OptionalInt.empty() : OptionalInt.of(rank), LauncherLog.standardOutput());
        if (follows) {
            reader.follow(first, cycle == null);
        } else {
            reader.print(first);
        }
        return ExitCode.COMPLETED;
    }
}
