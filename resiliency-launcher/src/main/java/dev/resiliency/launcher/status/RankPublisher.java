package dev.resiliency.launcher.status;

import dev.resiliency.launcher.monitor.SectionSummary;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Decides when an agent writes what it knows of its ranks: when one of them has changed its state, at most every 2 s; and what they do,
 * such as their steps, less often in a job of many nodes, so that all agents together write some 200 times a second at most. Writes
 * nothing that is as it was. Confined to the thread of the agent.
 */
public final class RankPublisher {
    private static final long SHORTEST_NANOS = Duration.ofSeconds(2).toNanos();
    private static final long NANOS_PER_NODE = Duration.ofMillis(5).toNanos();

    private final Supplier<List<RankSnapshot>> ranks;
    private final Supplier<List<SectionSummary>> sections;
    private final Consumer<NodeSnapshot> store;
    private final LongSupplier clock;
    private final LongSupplier wallClock;
    private List<RankSnapshot> written = List.of();
    private List<SectionSummary> writtenSections = List.of();
    private long interval = SHORTEST_NANOS;
    /** When it was written last; null before. */
    private @Nullable Long writtenAt;

    private boolean hasBegun;
    /** Whether a state has changed that could not be written at once. */
    private boolean hasPending;

    /**
     * Creates a publisher, which writes nothing yet.
     *
     * @param ranks reads what the agent knows
     * @param sections reads how long the sections of the job took
     * @param store writes it, without waiting
     * @param clock {@link System#nanoTime}, or what stands for it
     * @param wallClock {@link System#currentTimeMillis}, or what stands for it
     */
    public RankPublisher(
            Supplier<List<RankSnapshot>> ranks,
            Supplier<List<SectionSummary>> sections,
            Consumer<NodeSnapshot> store,
            LongSupplier clock,
            LongSupplier wallClock) {
        this.ranks = ranks;
        this.sections = sections;
        this.store = store;
        this.clock = clock;
        this.wallClock = wallClock;
    }

    /** Begins to write, in a job of so many nodes. */
    public void begin(int nodes) {
        hasBegun = true;
        interval = Math.max(SHORTEST_NANOS, nodes * NANOS_PER_NODE);
    }

    /** Returns how long until {@link #look} is due; empty before {@link #begin}. */
    public Optional<Duration> untilDue() {
        if (!hasBegun) {
            return Optional.empty();
        }
        long waited = writtenAt == null ? interval : clock.getAsLong() - writtenAt;
        // States are looked at when they change; only what ranks do must be looked for.
        return Optional.of(Duration.ofNanos(Math.max(0, nextLook() - waited)));
    }

    private long nextLook() {
        return hasPending ? SHORTEST_NANOS : interval;
    }

    /** Writes what has changed, if it is time. Called after each event of the agent. */
    public void look() {
        if (!hasBegun) {
            return;
        }
        long now = clock.getAsLong();
        long waited = writtenAt == null ? Long.MAX_VALUE : now - writtenAt;
        boolean mayWrite = waited >= SHORTEST_NANOS;
        if (!mayWrite && hasPending) {
            return;
        }
        List<RankSnapshot> current = ranks.get();
        boolean hasNewState = hasOtherState(current);
        if (!mayWrite) {
            hasPending = hasNewState;
        } else if (hasNewState || waited >= interval) {
            hasPending = false;
            writtenAt = now;
            List<SectionSummary> currentSections = sections.get();
            if (!current.equals(written) || !currentSections.equals(writtenSections)) {
                written = current;
                writtenSections = currentSections;
                store.accept(new NodeSnapshot(wallClock.getAsLong(), current, currentSections));
            }
        }
    }

    private boolean hasOtherState(List<RankSnapshot> current) {
        if (current.size() != written.size()) {
            return true;
        }
        for (int i = 0; i < current.size(); i++) {
            if (!current.get(i).isSameStateAs(written.get(i))) {
                return true;
            }
        }
        return false;
    }
}
