package dev.resiliency.launcher.cli;

import dev.resiliency.launcher.HealthSettings;
import java.time.Duration;
import picocli.CommandLine.Option;

/** How often a node is checked, and how long it may stay unhealthy. */
final class HealthIntervals {
    @Option(
            names = "--health-check-interval",
            paramLabel = "TIME",
            defaultValue = "5m",
            converter = DurationConverter.class,
            description =
                    "Interval between checks of a node while its ranks run; 0 for only before they start; ${DEFAULT-VALUE} by default.")
    private Duration interval = Duration.ZERO;

    @Option(
            names = "--health-recheck-interval",
            paramLabel = "TIME",
            defaultValue = "10s",
            converter = DurationConverter.class,
            description =
                    "How often an unhealthy node is checked again, before its ranks start; ${DEFAULT-VALUE} by default.")
    private Duration recheckInterval = Duration.ZERO;

    @Option(
            names = "--unhealthy-timeout",
            paramLabel = "TIME",
            defaultValue = "10m",
            converter = DurationConverter.class,
            description =
                    "How long it may stay unhealthy, before its agent exits with 94; ${DEFAULT-VALUE} by default.")
    private Duration timeout = Duration.ZERO;

    /** Completes the settings. */
    HealthSettings complete(HealthSettings.Builder settings) {
        return settings.interval(interval)
                .recheckInterval(recheckInterval)
                .unhealthyTimeout(timeout)
                .build();
    }
}
