package dev.resiliency.launcher.monitor;

import dev.resiliency.launcher.MonitorSettings;
import dev.resiliency.monitor.RankMonitorClient.WorkloadAction;
import dev.resiliency.monitor.spi.RankStamps;
import dev.resiliency.monitor.spi.RankStamps.Control;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Watches the stamps of the ranks of a node: reads them when the next deadline is due, and so finds out at that moment whether it was
 * kept. What begins after a look is due no earlier than the shortest limit, so it needs no other look before that.
 *
 * <p>When this process itself did not run, the ranks may not have run either, so what they have not done meanwhile is excused. Confined
 * to the thread of the agent.
 */
public final class RankWatch {
    /** A look that comes later than this was not late by chance. */
    private static final long LATE = Duration.ofSeconds(1).toNanos();

    /** Looks are not closer together, however short a limit is. */
    private static final long LEAST = Duration.ofMillis(5).toNanos();

    private final LongSupplier clock;
    private final Map<Integer, Watched> ranks = new TreeMap<>();
    private EffectiveLimits limits;
    private long nextLook;
    private boolean isLookDue;
    private long lastLook;
    /** When the last pause of this process ended, and how long it took at most. */
    private long resumedAt;

    private long paused;

    /** Creates a watch whose clock is {@link System#nanoTime}, or stands for it. */
    public RankWatch(MonitorSettings settings, LongSupplier clock) {
        this.clock = clock;
        limits = new EffectiveLimits(settings, CalculatedLimits.NONE);
        resumedAt = clock.getAsLong();
    }

    private static final class Watched {
        final Supplier<RankStamps> stamps;
        final long startedAt;
        boolean isOverdue;
        Control control = Control.NONE;

        Watched(Supplier<RankStamps> stamps, long startedAt) {
            this.stamps = stamps;
            this.startedAt = startedAt;
        }
    }

    /** What was found out. */
    public sealed interface Finding {
        /** A rank has missed a deadline; reported once. */
        record Overdue(int process, String reason) implements Finding {}

        /** A rank asks for something; reported once. */
        record Asked(int process, WorkloadAction action, String reason) implements Finding {}
    }

    /** Watches a process that has started. */
    public void begin(int process, Supplier<RankStamps> stamps) {
        ranks.put(process, new Watched(stamps, clock.getAsLong()));
        schedule(clock.getAsLong());
    }

    /** Ends the watch of a process that has ended; returns what it asked for at last. */
    public Optional<Finding> end(int process) {
        Watched ended = ranks.remove(process);
        return ended == null ? Optional.empty() : asked(process, ended, ended.stamps.get());
    }

    /** Sets the limits that were calculated. */
    void calculated(CalculatedLimits calculated) {
        limits = new EffectiveLimits(limits.given(), calculated);
        schedule(clock.getAsLong());
    }

    /** Returns how long until {@link #look} is due; empty if it is not. */
    public Optional<Duration> untilLook() {
        return isLookDue ? Optional.of(Duration.ofNanos(Math.max(0, nextLook - clock.getAsLong()))) : Optional.empty();
    }

    /** Reads the stamps of all ranks; returns what they ask for, and who is overdue. */
    public List<Finding> look() {
        long now = clock.getAsLong();
        if (isLookDue && now - nextLook > LATE) {
            paused = now - lastLook; // it may have begun just after that
            resumedAt = now;
        }
        List<Finding> findings = new ArrayList<>();
        ranks.forEach((process, rank) -> {
            RankStamps stamps = rank.stamps.get();
            asked(process, rank, stamps).ifPresent(findings::add);
            if (!rank.isOverdue) {
                Deadlines.next(stamps, rank.startedAt, limits)
                        .filter(deadline -> now - excused(deadline) >= 0)
                        .ifPresent(deadline -> {
                            rank.isOverdue = true;
                            findings.add(new Finding.Overdue(process, deadline.describe(now)));
                        });
            }
        });
        schedule(now);
        return findings;
    }

    private static Optional<Finding> asked(int process, Watched rank, RankStamps stamps) {
        Control control = stamps.control();
        if (control.equals(rank.control)) {
            return Optional.empty();
        }
        rank.control = control;
        return Optional.of(new Finding.Asked(process, control.action(), control.reason()));
    }

    /** Returns when a deadline is due, without the time for which this process did not run. */
    private long excused(Deadline deadline) {
        return deadline.due() + (deadline.since() - resumedAt < 0 ? paused : 0);
    }

    private void schedule(long now) {
        lastLook = now;
        long least = Long.MAX_VALUE;
        boolean isWatching = false;
        for (Watched rank : ranks.values()) {
            if (!rank.isOverdue) {
                isWatching = true;
                Optional<Deadline> next = Deadlines.next(rank.stamps.get(), rank.startedAt, limits);
                least = Math.min(
                        least, next.map(deadline -> excused(deadline) - now).orElse(Long.MAX_VALUE));
            }
        }
        if (isWatching) {
            least = Math.min(least, limits.shortest().map(Duration::toNanos).orElse(Long.MAX_VALUE));
        }
        isLookDue = least != Long.MAX_VALUE;
        nextLook = now + Math.max(LEAST, isLookDue ? least : 0);
    }
}
