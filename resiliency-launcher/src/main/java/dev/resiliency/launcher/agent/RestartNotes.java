package dev.resiliency.launcher.agent;

import dev.resiliency.inprocess.RestartReport.Phase;
import dev.resiliency.launcher.rendezvous.InProcessRestart;
import dev.resiliency.launcher.status.RankSnapshot;
import dev.resiliency.monitor.spi.RankRestart;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.LongSupplier;

/**
 * Finds the restarts of wrapped ranks that the ranks of this node have stamped, for people who look at the job. Of each it takes what the
 * slowest of these ranks saw, for which the others waited. Confined to the thread of the agent.
 */
final class RestartNotes {
    /** Reads the restarts of a process after an iteration. */
    interface Stamps {
        List<RankRestart> after(int process, int iteration);
    }

    private final Stamps stamps;
    private final BiConsumer<InProcessRestart, Instant> listener;
    private final LongSupplier wallClock;
    private final LongSupplier clock;
    /** The iteration of the latest one that is noted. */
    private int latest;

    /**
     * Creates notes that are empty.
     *
     * @param listener receives each restart, and when it was over
     * @param clock of the stamps: {@link System#nanoTime}, or what stands for it
     */
    RestartNotes(
            Stamps stamps, BiConsumer<InProcessRestart, Instant> listener, LongSupplier wallClock, LongSupplier clock) {
        this.stamps = stamps;
        this.listener = listener;
        this.wallClock = wallClock;
        this.clock = clock;
    }

    /**
     * Looks at the processes of which a rank is in another iteration.
     *
     * @param group the number of this node, by which its spares are called
     * @param isWriter whether this agent writes for all
     */
    void look(List<RankSnapshot> ranks, int group, boolean isWriter) {
        Map<Integer, Seen> found = new TreeMap<>();
        for (RankSnapshot rank : ranks) {
            if (rank.iteration() > latest) {
                for (RankRestart restart : stamps.after(rank.process(), latest)) {
                    found.merge(restart.iteration(), new Seen(restart, rank.name(group)), Seen::slower);
                }
            }
        }
        found.forEach((iteration, seen) -> {
            latest = iteration;
            if (isWriter) {
                listener.accept(InProcessRestart.of(seen.restart(), seen.who()), timeOf(seen.restart()));
            }
        });
    }

    private Instant timeOf(RankRestart restart) {
        long over = restart.knownAt() + restart.total().toNanos();
        return Instant.ofEpochMilli(wallClock.getAsLong()).minusNanos(Math.max(0, clock.getAsLong() - over));
    }

    private record Seen(RankRestart restart, String who) {
        /** Whoever is slow waits little for the others. */
        Seen slower(Seen other) {
            return other.barrier().compareTo(barrier()) < 0 ? other : this;
        }

        Duration barrier() {
            return restart.phases().getOrDefault(Phase.BARRIER, Duration.ZERO);
        }
    }
}
