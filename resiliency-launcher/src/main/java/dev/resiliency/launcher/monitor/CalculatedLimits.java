package dev.resiliency.launcher.monitor;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * EffectiveLimits that follow from the times of the ranks, by the names of the sections; that of the heartbeats is empty.
 *
 * @param warmUp those of the first times in a process
 */
record CalculatedLimits(Map<String, Duration> steady, Map<String, Duration> warmUp) {
    static final CalculatedLimits NONE = new CalculatedLimits(Map.of(), Map.of());

    Optional<Duration> of(String name, boolean isWarmUp) {
        return Optional.ofNullable((isWarmUp ? warmUp : steady).get(name));
    }

    Stream<Duration> all() {
        return Stream.concat(steady.values().stream(), warmUp.values().stream());
    }
}
