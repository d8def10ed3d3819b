package dev.resiliency.launcher.cli;

import java.time.Duration;
import picocli.CommandLine.Option;

/** Limits of the wait for free memory of the GPUs, before all ranks start again. */
final class GpuMemoryOptions {
    @Option(
            names = "--gpu-memory-reclaim-timeout",
            paramLabel = "TIME",
            defaultValue = "50s",
            converter = DurationConverter.class,
            description =
                    "How long to wait for free memory of the GPUs, before all ranks of a node start again (needs nvidia-smi); 0 for not at all; ${DEFAULT-VALUE} by default.")
    private Duration timeout = Duration.ZERO;

    @Option(
            names = "--gpu-memory-tolerance-mb",
            paramLabel = "MIB",
            defaultValue = "512",
            description = "How much memory of each GPU may stay in use then; ${DEFAULT-VALUE} by default.")
    private double toleranceMebibytes;

    @Option(
            names = "--gpu-memory-poll-interval",
            paramLabel = "TIME",
            defaultValue = "2s",
            converter = DurationConverter.class,
            description = "How often the memory in use is read; ${DEFAULT-VALUE} by default.")
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
