package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.HealthSettings;
import dev.resiliency.launcher.agent.AgentAction.Arrive;
import dev.resiliency.launcher.agent.AgentAction.Check;
import dev.resiliency.launcher.agent.AgentAction.MarkHealthy;
import dev.resiliency.launcher.agent.AgentAction.MarkUnhealthy;
import dev.resiliency.launcher.agent.AgentAction.Note;
import dev.resiliency.launcher.agent.AgentAction.TakeSeat;
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

    private String problem = "";

    /** Creates the record of a node whose clock is {@link System#nanoTime}, or stands for it. */
    NodeHealth(HealthSettings settings, boolean hasChecks, LongSupplier clock) {
        this.settings = settings;
        this.hasChecks = hasChecks;
        this.clock = clock;
    }

    /** Begins: returns what to do first. */
    List<AgentAction> begin() {
        if (!hasChecks) {
            hasArrived = true;
            return List.of(new Arrive());
        }
        return check();
    }

    private List<AgentAction> check() {
        if (isChecking) {
            return List.of();
        }
        isChecking = true;
        lastCheck = clock.getAsLong();
        nextCheck = null;
        return List.of(new Check());
    }

    /** Returns what to do before the node asks for its seat in a cycle. */
    List<AgentAction> awaitSeat(int wanted) {
        if (!hasChecks) {
            return List.of(new TakeSeat(wanted));
        }
        cycle = OptionalInt.of(wanted);
        return check();
    }

    /** Returns what to do when a rank has failed: perhaps the host is why. */
    List<AgentAction> rankFailed() {
        boolean isRecent = lastCheck != null
                && clock.getAsLong() - lastCheck < settings.recheckInterval().toNanos();
        return !hasChecks || !hasArrived || hasLeft || isRecent ? List.of() : check();
    }

    /** Returns how long until {@link #tick} is due; empty if nothing is. */
    Optional<Duration> untilTick() {
        return Optional.ofNullable(nextCheck).map(at -> Duration.ofNanos(Math.max(0, at - clock.getAsLong())));
    }

    /** Returns what is due. */
    List<AgentAction> tick() {
        return nextCheck != null && clock.getAsLong() - nextCheck >= 0 ? check() : List.of();
    }

    /** Returns why this node is to leave; empty if it is not. */
    String problem() {
        return problem;
    }

    /** No result matters any more: this node ends, for whatever reason. */
    void leave() {
        hasLeft = true;
        nextCheck = null;
    }

    /** Returns what follows from the result of a check. */
    List<AgentAction> checked(List<Finding> findings) {
        isChecking = false;
        if (hasLeft) {
            return List.of();
        }
        Stream<AgentAction> follows = isUnhealthy(findings) ? unhealthy(findings) : healthy();
        return Stream.concat(newWarnings(findings), follows).toList();
    }

    private static boolean isUnhealthy(List<Finding> findings) {
        return findings.stream().anyMatch(finding -> finding.severity() == Severity.FAILURE);
    }

    private Stream<AgentAction> newWarnings(List<Finding> findings) {
        Set<String> known = warnings;
        warnings = subjects(findings, Severity.WARNING);
        return findings.stream()
                .filter(finding -> finding.severity() == Severity.WARNING && !known.contains(finding.subject()))
                .map(finding -> new Note(finding.subject() + ": " + finding.text()));
    }

    private static Set<String> subjects(List<Finding> findings, Severity severity) {
        return findings.stream()
                .filter(finding -> finding.severity() == severity)
                .map(Finding::subject)
                .collect(Collectors.toSet());
    }

    private Stream<AgentAction> healthy() {
        boolean wasUnhealthy = !failures.isEmpty();
        failures = Set.of();
        giveUpAt = null;
        nextCheck = settings.interval().isZero()
                ? null
                : Long.valueOf(clock.getAsLong() + settings.interval().toNanos());
        Stream<AgentAction> seat =
                cycle.isPresent() ? Stream.of(new TakeSeat(cycle.getAsInt())) : Stream.<AgentAction>empty();
        cycle = OptionalInt.empty();
        if (hasArrived) {
            return seat;
        }
        hasArrived = true;
        Stream<AgentAction> arrival = Stream.of(new MarkHealthy(), new Arrive());
        return wasUnhealthy ? Stream.concat(Stream.of(new Note("this node is healthy again")), arrival) : arrival;
    }

    private Stream<AgentAction> unhealthy(List<Finding> findings) {
        String problem = findings.stream()
                .filter(finding -> finding.severity() == Severity.FAILURE)
                .map(finding -> finding.subject() + ": " + finding.text())
                .collect(Collectors.joining("; "));
        Set<String> known = failures;
        failures = subjects(findings, Severity.FAILURE);
        if (hasArrived) {
            return giveUp("this node is unhealthy: " + problem, problem);
        }
        long now = clock.getAsLong();
        if (giveUpAt == null) {
            giveUpAt = now + settings.unhealthyTimeout().toNanos();
        }
        long rest = giveUpAt - now;
        if (rest <= 0) {
            return giveUp(
                    "this node has been unhealthy for %s: %s"
                            .formatted(Durations.format(settings.unhealthyTimeout()), problem),
                    problem);
        }
        nextCheck = now + Math.min(rest, settings.recheckInterval().toNanos());
        return known.equals(failures)
                ? Stream.empty()
                : Stream.of(
                        new Note(
                                "this node is unhealthy, so it does not take part: %s. It is checked again every %s, for at most %s"
                                        .formatted(
                                                problem,
                                                Durations.format(settings.recheckInterval()),
                                                Durations.format(settings.unhealthyTimeout()))),
                        new MarkUnhealthy(problem));
    }

    private Stream<AgentAction> giveUp(String reason, String findings) {
        leave();
        problem = reason;
        return Stream.of(new MarkUnhealthy(findings));
    }
}
