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

    LogSettings settings() {
        return new LogSettings(prefix, false, LogSettings.DEFAULT_PORT, null);
    }
}
