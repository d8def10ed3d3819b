package dev.resiliency.launcher.cli;

import dev.resiliency.launcher.Backoff;
import dev.resiliency.launcher.RestartBudget;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How processes are started again, and ended: what {@code supervise} and {@code run} have in common. */
final class RestartOptions {
    @Option(
            names = "--max-restarts",
            paramLabel = "N",
            defaultValue = "10",
            description = "How often the command is started again, on all nodes of a job together; ${DEFAULT-VALUE} by"
                    + " default.")
    private int maxRestarts;

    @Option(
            names = "--restart-window",
            paramLabel = "TIME",
            defaultValue = "1h",
            converter = WindowConverter.class,
            description =
                    "How long a restart counts towards --max-restarts, or 'forever';" + " ${DEFAULT-VALUE} by default.")
    private Window window = Window.FOREVER;

    @Option(
            names = "--backoff",
            paramLabel = "MIN:MAX",
            defaultValue = "1s:60s",
            converter = BackoffConverter.class,
            description =
                    "How long to wait before a process starts again that has failed at start-up: MIN at first, twice as long"
                            + " after each failure in a row, MAX at most; ${DEFAULT-VALUE} by default.")
    private Backoff backoff = Backoff.defaults();

    @Option(
            names = "--grace",
            paramLabel = "TIME",
            defaultValue = "30s",
            converter = DurationConverter.class,
            description =
                    "How long a process may take to end after a signal, before it is killed; ${DEFAULT-VALUE} by default.")
    private Duration grace = Duration.ZERO;

    @Option(
            names = "--startup-time",
            paramLabel = "TIME",
            defaultValue = "10s",
            converter = DurationConverter.class,
            description = "A process that fails within this time has failed at start-up; ${DEFAULT-VALUE} by default.")
    private Duration startupTime = Duration.ZERO;

    @Option(
            names = "--max-startup-failures",
            paramLabel = "N",
            defaultValue = "5",
            description =
                    "After how many failures at start-up in a row the command is given up, and the job; 0 for no limit;"
                            + " ${DEFAULT-VALUE} by default.")
    private int maxStartupFailures;

    @Option(
            names = "--run-dir",
            paramLabel = "DIRECTORY",
            description =
                    "Where started processes are noted, so that the next start ends those that a killed supervisor has"
                            + " left behind; $XDG_RUNTIME_DIR/resiliency or /tmp/resiliency-USER by default.")
    private @Nullable Path runDirectory;

    /**
     * Returns the budget.
     *
     * @throws IllegalArgumentException if it is invalid
     */
    RestartBudget budget() {
        return new RestartBudget(maxRestarts, window.length());
    }

    Backoff backoff() {
        return backoff;
    }

    Duration grace() {
        return grace;
    }

    Duration startupTime() {
        return startupTime;
    }

    int maxStartupFailures() {
        return maxStartupFailures;
    }

    /** Returns the directory; null for the default. */
    @Nullable
    Path runDirectory() {
        return runDirectory;
    }
}
