package dev.resiliency.launcher.cli;

import dev.resiliency.launcher.LogSettings;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the output of a job is kept. */
final class LogOptions {
    @Option(
            names = {
                "--per-cycle-applog-prefix",
                "--per_cycle_applog_prefix",
                "--ft-per-cycle-applog-prefix",
                "--ft_per_cycle_applog_prefix"
            },
            paramLabel = "PREFIX",
            description =
                    "Keeps what the ranks and this agent print, with time and rank in each line, in a file for each cycle, PREFIX_cycleN.log. None by default.")
    private @Nullable Path prefix;

    @Option(
            names = {"--enable-log-server", "--enable_log_server", "--ft-enable-log-server", "--ft_enable_log_server"},
            arity = "0..1",
            paramLabel = "true|false",
            defaultValue = "false",
            fallbackValue = "true",
            description =
                    "Merges the log files of all nodes on the host of the store, the same on all nodes; a node's own are then PREFIX_cycleN.NODE.log. Not by default.")
    private boolean isServerWanted;

    @Option(
            names = {"--log-server-port", "--log_server_port", "--ft-log-server-port", "--ft_log_server_port"},
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

    LogSettings settings() {
        return new LogSettings(prefix, isServerWanted, serverPort, directory);
    }
}
