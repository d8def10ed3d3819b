package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.internal.cycle.Stopwatch;
import dev.resiliency.inprocess.internal.protocol.Leader.WorldBefore;
import dev.resiliency.inprocess.rank.World;
import dev.resiliency.store.IndexSet;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * The decision about iteration {@code k}, which the lowest living member, the leader, makes for all. When the leader
 * dies, the next rank takes over, so every rank is ready to; two ranks that both act as the leader do no harm, since in
 * the store only the first decision stands.
 */
final class Leadership {
    private final LoopContext<?> context;
    private final int k;
    private final IndexSet members;
    private final Stopwatch since;
    private Step step = new Following();
    /** What this rank has said that it waits for; empty if it has not. */
    private String announced = "";

    /** The progress of this rank as the leader. */
    private sealed interface Step {}

    /** Another rank leads. */
    private record Following() implements Step {}

    /** Reads the world, once all others have stopped; {@code version} is from before the request. */
    private record Reading(CompletableFuture<WorldBefore> world, int version) implements Step {}

    /** Waits for joiners; what was read is outdated when the version has changed, or after {@code atMost}. */
    private record Waiting(int version, Duration atMost) implements Step {}

    /** Publishes the decision: false if a rank has died or left since the world was read. */
    private record Publishing(CompletableFuture<Boolean> published) implements Step {
        boolean isOutdated() {
            return published.isDone() && !Futures.resultOf(published);
        }
    }

    /**
     * Creates the leadership of a rank that may become the leader.
     *
     * @param members those of the iteration before, one of which leads
     * @param since the beginning of the wait for this decision
     */
    Leadership(LoopContext<?> context, int k, IndexSet members, Stopwatch since) {
        this.context = context;
        this.k = k;
        this.members = members;
        this.since = since;
    }

    /**
     * Becomes the leader if this rank is the lowest living one: requests the world once all others have stopped, and
     * again if a rank dies or leaves before the decision is published, or someone comes for whom it waits.
     */
    void assumeIfLowest() {
        boolean isToBeRead = step instanceof Following
                || (step instanceof Publishing publishing && publishing.isOutdated())
                || (step instanceof Waiting waiting && isOver(waiting));
        if (isToBeRead && context.terminated().isLowestAlive(context.identity().rank(), members)) {
            int version = context.versionOfWorld();
            step = new Reading(
                    context.waker()
                            .wakeWhenDone(context.leader()
                                    .worldBefore(
                                            k,
                                            members.minus(context.terminated().all()),
                                            context.timings().barrierTimeout())),
                    version);
        }
    }

    private boolean isOver(Waiting waiting) {
        return waiting.version() != context.versionOfWorld() || since.hasReached(waiting.atMost());
    }

    /** Returns whether this rank is the leader and all have stopped, so that it can {@linkplain #decide decide}. */
    boolean canDecide() {
        return step instanceof Reading reading && reading.world().isDone();
    }

    /** Decides for all, or waits for more ranks. */
    void decide() {
        Reading reading = (Reading) step;
        WorldBefore before = withoutJoinersInAPause(Futures.resultOf(reading.world()));
        World next = context.assignment().assign(k, before.world());
        Quorum quorum =
                Quorum.of(context.elasticity(), context.assignment().maxActive(), before, next, since.elapsed());
        if (quorum instanceof Quorum.WaitForMore more) {
            awaitMore(more, reading.version());
        } else if (quorum instanceof Quorum.TooFew tooFew) {
            step = new Publishing(context.waker().wakeWhenDone(context.leader().disband(k, before, tooFew.shortage())));
        } else {
            context.announcements().assigned(k, before.world(), next);
            step = new Publishing(context.waker().wakeWhenDone(context.leader().decide(k, before, next)));
        }
    }

    /** Leaves out those who wait to join if they are to wait on, and the others are enough. */
    private WorldBefore withoutJoinersInAPause(WorldBefore before) {
        if (!context.pausesAdmission() || before.joiners().isEmpty()) {
            return before;
        }
        WorldBefore without = before.withoutJoiners();
        int active = context.assignment().assign(k, without.world()).activeSize();
        return active >= Math.max(1, context.elasticity().minRanks()) ? without : before;
    }

    /** Whatever the watches report after the request that has read the world leads to another reading. */
    private void awaitMore(Quorum.WaitForMore more, int version) {
        context.newcomers().watch();
        context.newcomers().watchPromises();
        if (!announced.equals(more.reason())) {
            announced = more.reason();
            context.announcements().waitsForMore(more.atMost(), more.reason());
            context.leader().announceWait(k, more.atMost(), more.reason());
        }
        step = new Waiting(version, more.atMost());
    }

    /** Returns the nanoseconds until this rank stops waiting for joiners. */
    long untilNextCheck() {
        return step instanceof Waiting waiting ? since.nanosUntil(waiting.atMost()) : Long.MAX_VALUE;
    }

    /** Returns whether this rank has decided, even if another one was first. */
    boolean hasDecided() {
        return step instanceof Publishing;
    }

    /** Throws if the decision could not be published. */
    void checkPublished() {
        if (step instanceof Publishing publishing) {
            Futures.throwFailureOf(publishing.published());
        }
    }
}
