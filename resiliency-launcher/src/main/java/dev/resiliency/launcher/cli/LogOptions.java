package dev.resiliency.launcher.cli;

import dev.resiliency.launcher.LogSettings;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the output of a job is kept. */
final class LogOptions {
    @Option(
            names = "--per-cycle-applog-prefix",
            paramLabel = "PREFIX",
            description =
                    "Keeps what the ranks and this agent print, with time and rank in each line, in a file for each cycle, PREFIX_cycleN.log. None by default.")
    private @Nullable Path prefix;

    @Option(
            names = "--enable-log-server",
            arity = "0..1",
            paramLabel = "true|false",
            defaultValue = "false",
            fallbackValue = "true",
            converter = BooleanConverter.class,
            description =
                    "Merges the log files of all nodes on the host of the store, the same on all nodes; a node's own are then PREFIX_cycleN.NODE.log. Not by default.")
    private Boolean isServerWanted = false;

    @Option(
            names = "--log-server-port",
            paramLabel = "PORT",
            defaultValue = "" + LogSettings.DEFAULT_PORT,
            description = "Where the log server listens, the same on all nodes; ${DEFAULT-VALUE} by default.")
    private int serverPort;

    @Option(
            names = "--node-log-dir",
            paramLabel = "DIRECTORY",
            description =
                    "With a log server: where this node keeps its own log files, best on a disk of its own. By default where the merged ones are.")
    private @Nullable Path directory;

    @Option(
            names = "--log-dir",
            paramLabel = "DIRECTORY",
            description =
                    "The same as --per-cycle-applog-prefix DIRECTORY/JOB, which wins over it; as torchrun has it. None by default.")
    private @Nullable Path logDirectory;

    /**
     * Returns the settings.
     *
     * @param job the name of the job
     * @throws IllegalArgumentException if they are invalid
     */
    LogSettings settings(String job) {
        Path files = prefix == null && logDirectory != null ? logDirectory.resolve(job) : prefix;
        return new LogSettings(files, isServerWanted, serverPort, directory);
    }
}
