package dev.resiliency.launcher.cli;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Options of torchrun and of nvidia-resiliency-ext that are accepted, so that a command line or a file can be carried over, and mean
 * nothing here.
 */
final class OptionsWithoutEffect {
    @Option(names = "--monitor-interval", hidden = true)
    private @Nullable String monitorInterval;

    @Option(names = "--workload-check-interval", hidden = true)
    private @Nullable String workloadCheckInterval;

    @Option(names = "--restart-check-interval", hidden = true)
    private @Nullable String restartCheckInterval;

    @Option(names = "--start-method", hidden = true)
    private @Nullable String startMethod;

    @Option(names = "--no-python", hidden = true)
    private boolean noPython;

    @Option(names = "--role", hidden = true)
    private @Nullable String role;

    /** Returns those that were given, each with the reason, for people. */
    List<String> given() {
        List<String> given = new ArrayList<>();
        if (monitorInterval != null) {
            given.add("monitor-interval (processes are not polled)");
        }
        if (workloadCheckInterval != null) {
            given.add("workload-check-interval (nothing is polled)");
        }
        if (restartCheckInterval != null) {
            given.add("restart-check-interval (nothing is polled)");
        }
        if (startMethod != null) {
            given.add("start-method (each rank is a program of its own)");
        }
        if (noPython) {
            given.add("no-python (the command may be any program)");
        }
        if (role != null) {
            given.add("role (all ranks have the same)");
        }
        return given;
    }
}
