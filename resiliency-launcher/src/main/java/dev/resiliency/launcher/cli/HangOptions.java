package dev.resiliency.launcher.cli;

import dev.resiliency.launcher.MonitorSettings;
import dev.resiliency.launcher.cli.SectionTimeoutsConverter.SectionTimeouts;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** When a rank hangs. */
final class HangOptions {
    @Option(
            names = "--rank-heartbeat-timeout",
            paramLabel = "TIME",
            converter = LimitConverter.class,
            description = "How long after a heartbeat the next one may come. No limit by default.")
    private @Nullable Duration rankHeartbeat;

    @Option(
            names = "--initial-rank-heartbeat-timeout",
            paramLabel = "TIME",
            converter = LimitConverter.class,
            description =
                    "How long after its start a process may take to send a heartbeat, open a section or join the job of a wrapper. No limit by default.")
    private @Nullable Duration initialHeartbeat;

    @Option(
            names = "--rank-section-timeouts",
            paramLabel = "LIMITS",
            converter = SectionTimeoutsConverter.class,
            description = "How long each section may be open: setup:600,step:30s. No limit by default.")
    private @Nullable SectionTimeouts sections;

    @Option(
            names = "--rank-out-of-section-timeout",
            paramLabel = "TIME",
            converter = LimitConverter.class,
            description = "How long no section may be open, once one has been. No limit by default.")
    private @Nullable Duration outOfSection;

    @Option(
            names = "--calculate-timeouts",
            paramLabel = "BOOLEAN",
            arity = "1",
            defaultValue = "false",
            converter = BooleanConverter.class,
            description =
                    "Derives limits that are not given from the times of all ranks, in this run and those before: true or false; ${DEFAULT-VALUE} by default.")
    private Boolean calculates = false;

    @Option(
            names = "--safety-factor",
            paramLabel = "X",
            defaultValue = "5",
            description = "A calculated limit is the slowest time so far, times this; ${DEFAULT-VALUE} by default.")
    private double safetyFactor;

    @Option(
            names = "--warmup-iterations",
            paramLabel = "N",
            defaultValue = "3",
            description =
                    "How many of the first sections of each name, and of the first heartbeats, have limits of their own in each process, as they are slower; ${DEFAULT-VALUE} by default.")
    private int warmup;

    @Option(
            names = "--rank-termination-signal",
            paramLabel = "SIGNAL",
            defaultValue = "SIGKILL",
            description =
                    "Which signal ends a rank that hangs, after its threads were printed; SIGKILL follows after --grace. ${DEFAULT-VALUE} by default.")
    private String signal = "SIGKILL";

    @Option(
            names = "--max-no-progress-cycles",
            paramLabel = "N",
            defaultValue = "3",
            description =
                    "After how many restarts in a row, without a higher step than before, the job ends; 0 for no limit; ${DEFAULT-VALUE} by default.")
    private int maxNoProgressCycles;

    /**
     * Returns the settings.
     *
     * @throws IllegalArgumentException if one is invalid
     */
    MonitorSettings settings() {
        String name = signal.toUpperCase(Locale.ROOT);
        return new MonitorSettings(
                initialHeartbeat,
                rankHeartbeat,
                sections == null ? Map.of() : sections.limits(),
                outOfSection,
                calculates,
                safetyFactor,
                warmup,
                name.startsWith("SIG") ? name.substring(3) : name,
                maxNoProgressCycles);
    }
}
