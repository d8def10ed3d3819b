package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.HealthSettings;
import dev.resiliency.launcher.agent.HealthAction.Arrive;
import dev.resiliency.launcher.agent.HealthAction.AwaitSeat;
import dev.resiliency.launcher.agent.HealthAction.Check;
import dev.resiliency.launcher.agent.HealthAction.Leave;
import dev.resiliency.launcher.agent.HealthAction.MarkHealthy;
import dev.resiliency.launcher.agent.HealthAction.MarkUnhealthy;
import dev.resiliency.launcher.agent.HealthAction.Say;
import dev.resiliency.launcher.config.Durations;
import dev.resiliency.launcher.health.Finding;
import dev.resiliency.launcher.health.Finding.Severity;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Decides when this node is checked, and what follows from the result. Acts in no way, and never waits. Confined to the thread of the
 * agent.
 *
 * <p>A node arrives once it is healthy. One that is not before waits, and is checked again and again; one that is not later leaves. It
 * is also checked before each further cycle, and when one of its ranks has failed.
 */
final class NodeHealth {
    private final HealthSettings settings;
    private final boolean hasChecks;
    private final LongSupplier clock;

    private boolean hasArrived;
    private boolean hasLeft;
    private boolean isChecking;
    /** When the last check has begun; null before the first. */
    private @Nullable Long lastCheck;
    /** When the next one is due; null if none is. */
    private @Nullable Long nextCheck;
    /** When a node that has not arrived gives up; null while it is healthy. */
    private @Nullable Long giveUpAt;
    /** The cycle whose seat is asked for when the check has passed. */
    private OptionalInt cycle = OptionalInt.empty();
    /** What was found wrong last; kept apart by subject, since figures change at each check. */
    private Set<String> failures = Set.of();

    private Set<String> warnings = Set.of();

    /** Creates the record of a node whose clock is {@link System#nanoTime}, or stands for it. */
    NodeHealth(HealthSettings settings, boolean hasChecks, LongSupplier clock) {
        this.settings = settings;
        this.hasChecks = hasChecks;
        this.clock = clock;
    }

    /** Begins: returns what to do first. */
    List<HealthAction> begin() {
        if (!hasChecks) {
            hasArrived = true;
            return List.of(new Arrive());
        }
        return check();
    }

    private List<HealthAction> check() {
        if (isChecking) {
            return List.of();
        }
        isChecking = true;
        lastCheck = clock.getAsLong();
        nextCheck = null;
        return List.of(new Check());
    }

    /** Returns what to do before the node asks for its seat in a cycle. */
    List<HealthAction> awaitSeat(int wanted) {
        if (!hasChecks) {
            return List.of(new AwaitSeat(wanted));
        }
        cycle = OptionalInt.of(wanted);
        return check();
    }

    /** Returns what to do when a rank has failed: perhaps the host is why. */
    List<HealthAction> rankFailed() {
        boolean isRecent = lastCheck != null
                && clock.getAsLong() - lastCheck < settings.recheckInterval().toNanos();
        return !hasChecks || !hasArrived || hasLeft || isRecent ? List.of() : check();
    }

    /** Returns how long until {@link #tick} is due; empty if nothing is. */
    Optional<Duration> untilTick() {
        return Optional.ofNullable(nextCheck).map(at -> Duration.ofNanos(Math.max(0, at - clock.getAsLong())));
    }

    /** Returns what is due. */
    List<HealthAction> tick() {
        return nextCheck != null && clock.getAsLong() - nextCheck >= 0 ? check() : List.of();
    }

    /** No result matters any more: this node ends, for whatever reason. */
    void leave() {
        hasLeft = true;
        nextCheck = null;
    }

    /** Returns what follows from the result of a check. */
    List<HealthAction> checked(List<Finding> findings) {
        isChecking = false;
        if (hasLeft) {
            return List.of();
        }
        Stream<HealthAction> follows = isUnhealthy(findings) ? unhealthy(findings) : healthy();
        return Stream.concat(newWarnings(findings), follows).toList();
    }

    private static boolean isUnhealthy(List<Finding> findings) {
        return findings.stream().anyMatch(finding -> finding.severity() == Severity.FAILURE);
    }

    private Stream<HealthAction> newWarnings(List<Finding> findings) {
        Set<String> known = warnings;
        warnings = subjects(findings, Severity.WARNING);
        return findings.stream()
                .filter(finding -> finding.severity() == Severity.WARNING && !known.contains(finding.subject()))
                .map(finding -> new Say(finding.subject() + ": " + finding.text()));
    }

    private static Set<String> subjects(List<Finding> findings, Severity severity) {
        return findings.stream()
                .filter(finding -> finding.severity() == severity)
                .map(Finding::subject)
                .collect(Collectors.toSet());
    }

    private Stream<HealthAction> healthy() {
        boolean wasUnhealthy = !failures.isEmpty();
        failures = Set.of();
        giveUpAt = null;
        nextCheck = settings.interval().isZero()
                ? null
                : Long.valueOf(clock.getAsLong() + settings.interval().toNanos());
        Stream<HealthAction> seat =
                cycle.isPresent() ? Stream.of(new AwaitSeat(cycle.getAsInt())) : Stream.<HealthAction>empty();
        cycle = OptionalInt.empty();
        if (hasArrived) {
            return seat;
        }
        hasArrived = true;
        return Stream.of(new Say(wasUnhealthy ? "this node is healthy again" : ""), new MarkHealthy(), new Arrive());
    }

    private Stream<HealthAction> unhealthy(List<Finding> findings) {
        String problem = findings.stream()
                .filter(finding -> finding.severity() == Severity.FAILURE)
                .map(finding -> finding.subject() + ": " + finding.text())
                .collect(Collectors.joining("; "));
        Set<String> known = failures;
        failures = subjects(findings, Severity.FAILURE);
        if (hasArrived) {
            leave();
            return Stream.of(new MarkUnhealthy(problem), new Leave("this node is unhealthy: " + problem));
        }
        long now = clock.getAsLong();
        if (giveUpAt == null) {
            giveUpAt = now + settings.unhealthyTimeout().toNanos();
        }
        long rest = giveUpAt - now;
        if (rest <= 0) {
            leave();
            return Stream.of(
                    new MarkUnhealthy(problem),
                    new Leave("this node has been unhealthy for %s: %s"
                            .formatted(Durations.format(settings.unhealthyTimeout()), problem)));
        }
        nextCheck = now + Math.min(rest, settings.recheckInterval().toNanos());
        return known.equals(failures)
                ? Stream.empty()
                : Stream.of(
                        new Say(
                                "this node is unhealthy, so it does not take part: %s. It is checked again every %s, for at most %s"
                                        .formatted(
                                                problem,
                                                Durations.format(settings.recheckInterval()),
                                                Durations.format(settings.unhealthyTimeout()))),
                        new MarkUnhealthy(problem));
    }
}
