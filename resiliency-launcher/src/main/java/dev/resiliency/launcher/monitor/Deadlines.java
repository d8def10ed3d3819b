package dev.resiliency.launcher.monitor;

import dev.resiliency.launcher.monitor.Deadline.Kind;
import dev.resiliency.monitor.spi.RankStamps;
import dev.resiliency.monitor.spi.RankStamps.OpenSection;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What a rank has to do until when. Each open section has a deadline of its own, which no other section and no heartbeat moves.
 */
final class Deadlines {
    private Deadlines() {}

    /** Returns the earliest deadline; empty if there is none. */
    static Optional<Deadline> next(RankStamps stamps, long startedAt, EffectiveLimits limits) {
        return all(stamps, startedAt, limits).stream()
                .min(Comparator.comparingLong(deadline -> deadline.due() - startedAt));
    }

    /** Returns all deadlines. */
    static List<Deadline> all(RankStamps stamps, long startedAt, EffectiveLimits limits) {
        List<Deadline> deadlines = new ArrayList<>();
        for (OpenSection open : stamps.openSections()) {
            limits.ofSection(open.name(), open.isWarmUp())
                    .ifPresent(limit -> deadlines.add(new Deadline(Kind.SECTION, open.name(), open.since(), limit)));
        }
        if (!stamps.hasBegun()
                && stamps.initialRank().isEmpty()) { // its wrapper watches one that the job knows, and a spare waits
            limits.ofFirstHeartbeat()
                    .ifPresent(limit -> deadlines.add(new Deadline(Kind.FIRST_HEARTBEAT, "", startedAt, limit)));
        }
        if (stamps.heartbeat() != 0) {
            limits.ofHeartbeat(stamps.isWarmUp())
                    .ifPresent(limit -> deadlines.add(new Deadline(Kind.HEARTBEAT, "", stamps.heartbeat(), limit)));
        }
        if (stamps.sectionUse() != 0 && stamps.openSections().isEmpty()) {
            limits.ofNextSection()
                    .ifPresent(limit -> deadlines.add(new Deadline(Kind.NEXT_SECTION, "", stamps.sectionUse(), limit)));
        }
        return deadlines;
    }
}
