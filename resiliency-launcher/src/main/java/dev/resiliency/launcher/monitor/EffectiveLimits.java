package dev.resiliency.launcher.monitor;

import dev.resiliency.launcher.MonitorSettings;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The limits that hold: those that are given, and otherwise those that were calculated.
 *
 * @param calculated empty if limits are not to be calculated
 */
record EffectiveLimits(MonitorSettings given, CalculatedLimits calculated) {

    /** Returns how long a section may be open. */
    Optional<Duration> ofSection(String name, boolean isWarmUp) {
        Duration limit = given.rankSectionTimeouts().get(name);
        return limit == null ? calculated.of(name, isWarmUp) : Optional.of(limit);
    }

    /** Returns how long the next heartbeat may take. */
    Optional<Duration> ofHeartbeat(boolean isWarmUp) {
        Duration limit = given.rankHeartbeatTimeout();
        return limit == null ? calculated.of("", isWarmUp) : Optional.of(limit);
    }

    Optional<Duration> ofFirstHeartbeat() {
        return Optional.ofNullable(given.initialRankHeartbeatTimeout());
    }

    Optional<Duration> ofNextSection() {
        return Optional.ofNullable(given.rankOutOfSectionTimeout());
    }

    /** Returns the shortest of all: nothing that begins now is due earlier. */
    Optional<Duration> shortest() {
        return Stream.of(
                        given.rankSectionTimeouts().values().stream(),
                        Stream.ofNullable(given.rankHeartbeatTimeout()),
                        ofNextSection().stream(),
                        calculated.all())
                .flatMap(each -> each)
                .min(Duration::compareTo);
    }
}
