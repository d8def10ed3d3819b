package dev.resiliency.launcher.cli;

import java.time.Duration;
import picocli.CommandLine.Option;

/** How ranks that all start again wait for the memory of the GPUs. */
final class GpuMemoryOptions {
    @Option(
            names = "--gpu-memory-reclaim-timeout",
            paramLabel = "TIME",
            defaultValue = "50s",
            converter = DurationConverter.class,
            description =
                    "When all ranks of a node start again: how long to wait until the memory of its GPUs is free, if there is nvidia-smi; 0 for not at all; ${DEFAULT-VALUE} by default.")
    private Duration timeout = Duration.ZERO;

    @Option(
            names = "--gpu-memory-tolerance-mb",
            paramLabel = "MIB",
            defaultValue = "512",
            description = "How much of each GPU may stay in use then; ${DEFAULT-VALUE} by default.")
    private double toleranceMebibytes;

    @Option(
            names = "--gpu-memory-poll-interval",
            paramLabel = "TIME",
            defaultValue = "2s",
            converter = DurationConverter.class,
            description = "How often it is read; ${DEFAULT-VALUE} by default.")
    private Duration interval = Duration.ZERO;

    Duration timeout() {
        return timeout;
    }

    int toleranceMebibytes() {
        return (int) Math.floor(toleranceMebibytes);
    }

    Duration interval() {
        return interval;
    }
}
