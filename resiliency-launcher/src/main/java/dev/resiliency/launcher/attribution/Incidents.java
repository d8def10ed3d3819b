package dev.resiliency.launcher.attribution;

import dev.resiliency.launcher.attribution.Fact.Kind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * Decides which facts belong together. An incident begins with a fault, and ends when all nodes that have lost a process run all
 * of theirs again and the wrapped ranks, if there are any, have begun another iteration; and nothing more has failed for a while.
 * Stepped, without threads.
 */
final class Incidents {
    /** Followers fail a little later, and evidence takes a moment. */
    static final Duration SETTLE = Duration.ofSeconds(3);

    /** What a process has died of is known once it has ended, which takes one without memory a while. */
    static final Duration DYING = Duration.ofSeconds(15);

    /** A world that is not whole by then may never be: nobody shall wait longer for the report. */
    static final Duration LIMIT = Duration.ofMinutes(5);

    private static final int NOTHING = -2;

    private final LongSupplier clock;
    private final NavigableMap<Long, Fact> facts = new TreeMap<>();
    /** Those that have lost processes which do not run again. */
    private final Set<String> broken = new HashSet<>();
    /** When the facts came that are no faults, before there was one. */
    private final Map<Long, Long> early = new HashMap<>();

    private long covered;
    private boolean hasFault;
    private long beganAt;
    private long lastAt;
    /** When a node was whole again, or another iteration began, for the last time. */
    private long wholeAt;
    /** The iteration that was interrupted and has no successor yet. */
    private int interrupted = NOTHING;

    /** Creates an empty list; the clock is {@link System#nanoTime}, or stands for it. */
    Incidents(LongSupplier clock) {
        this.clock = clock;
    }

    /** Skips the facts up to this one: a report has them, which another agent has perhaps written. */
    void skipTo(long number) {
        covered = Math.max(covered, number);
        List<Fact> known = new ArrayList<>(facts.values());
        clear();
        known.forEach(this::add);
    }

    private void clear() {
        facts.clear();
        early.clear();
        broken.clear();
        interrupted = NOTHING;
        hasFault = false;
    }

    void add(Fact fact) {
        if (fact.number() <= covered || facts.put(fact.number(), fact) != null) {
            return;
        }
        if (fact.kind() == Kind.ENDS || (fact.kind() == Kind.PROCESS_ENDED && !fact.isAsked())) {
            broken.add(fact.node());
        } else if (fact.isEnd() || fact.kind() == Kind.NODE_LOST || fact.kind() == Kind.AGENT_REPLACED) {
            broken.remove(fact.node());
        }
        if (hasFault && fact.kind() == Kind.RESUMED) {
            return; // nothing waits for it
        }
        long now = clock.getAsLong();
        if (fact.isEnd()) {
            wholeAt = now;
        }
        if (!hasFault && !fact.isFault()) {
            early.put(fact.number(), now); // its fault may come later, as evidence takes a moment
            return;
        }
        if (!hasFault) {
            hasFault = true;
            beganAt = now;
            facts.headMap(fact.number()).values().removeIf(before -> isOver(before, now));
            early.clear();
        }
        lastAt = now;
    }

    /** An end that was asked for is what others notice a moment later, or what they wait for. */
    private boolean isOver(Fact before, long now) {
        boolean isLate = now - early.getOrDefault(before.number(), now) > SETTLE.toNanos();
        return isLate && !(before.kind() == Kind.ENDS && broken.contains(before.node()));
    }

    /** The wrapped ranks were interrupted in this iteration. */
    void interrupted(int iteration) {
        interrupted = Math.max(interrupted, iteration);
    }

    /** The wrapped ranks have begun this iteration. */
    void resumed(int iteration) {
        if (iteration > interrupted && interrupted != NOTHING) {
            interrupted = NOTHING;
            lastAt = clock.getAsLong();
            wholeAt = lastAt;
        }
    }

    /** Returns how long until {@link #ended} may return an incident; empty if there is none. */
    Optional<Duration> untilDue() {
        if (!hasFault) {
            return Optional.empty();
        }
        boolean isWhole = broken.isEmpty() && interrupted == NOTHING;
        long limit = beganAt + LIMIT.toNanos();
        long due = isWhole ? Math.min(limit, lastAt + SETTLE.toNanos()) : limit;
        long now = clock.getAsLong();
        if (isWhole && due <= now && Incident.of(List.copyOf(facts.values())).awaitsEndOfFirst()) {
            due = Math.min(limit, lastAt + DYING.toNanos());
        }
        return Optional.of(Duration.ofNanos(Math.max(0, due - now)));
    }

    /** Returns the incident that is over, and begins to look for the next one; empty if none is. */
    Optional<Incident> ended() {
        return untilDue().filter(Duration::isZero).map(due -> take());
    }

    /** Returns the incident as it is, since nobody will know more; empty if there is none. */
    Optional<Incident> flush() {
        return hasFault ? Optional.of(take()) : Optional.empty();
    }

    private Incident take() {
        List<Fact> taken = new ArrayList<>(facts.values());
        Duration lasted = Duration.ofNanos(Math.max(0, wholeAt - beganAt));
        clear();
        covered = taken.get(taken.size() - 1).number();
        return Incident.of(taken, lasted);
    }
}
