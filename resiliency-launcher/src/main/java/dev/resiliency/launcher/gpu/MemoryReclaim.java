package dev.resiliency.launcher.gpu;

import dev.resiliency.launcher.config.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Decides how long processes that start again wait until the driver has freed what the ones before them held. Takes readings, and
 * acts in no way.
 *
 * @param timeout how long to wait at most
 * @param toleranceMebibytes how much of each GPU may stay in use
 * @param interval how long to wait between two readings
 */
public record MemoryReclaim(Duration timeout, long toleranceMebibytes, Duration interval) {
    /**
     * Returns what to say when the wait is over; empty while it is not.
     *
     * @param used see {@link GpuMemory#usedMebibytes}
     * @param waited since the first reading
     */
    Optional<String> judge(List<Long> used, Duration waited) {
        String figures = used.stream().map(String::valueOf).collect(Collectors.joining(", "));
        if (used.stream().allMatch(each -> each <= toleranceMebibytes)) {
            return Optional.of("the memory of the GPUs is free after %s (%s MiB in use)"
                    .formatted(Durations.format(waited), figures));
        }
        return waited.compareTo(timeout) < 0
                ? Optional.empty()
                : Optional.of(
                        "the memory of the GPUs is not free after %s (%s MiB in use, %d MiB may be): ranks start all the same, and may run out of memory. 'nvidia-smi' lists the processes that hold it"
                                .formatted(Durations.format(waited), figures, toleranceMebibytes));
    }
}
