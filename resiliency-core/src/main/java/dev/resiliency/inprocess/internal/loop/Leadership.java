package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.ResiliencyException;
import dev.resiliency.inprocess.internal.protocol.Leader.WorldBefore;
import dev.resiliency.inprocess.rank.World;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The decision about iteration {@code k}, which the lowest living rank, the leader, makes for all. When the leader
 * dies, the next rank takes over, so every rank is ready to; two ranks that both act as the leader do no harm, since in
 * the store only the first decision stands.
 */
final class Leadership {
    private final LoopContext<?> context;
    private final int k;
    private Step step = new Following();

    /** The progress of this rank as the leader. */
    private sealed interface Step {}

    /** Another rank leads. */
    private record Following() implements Step {}

    /** Reads the world, once all others have stopped. */
    private record Reading(CompletableFuture<WorldBefore> world) implements Step {}

    /** Publishes the decision: false if a rank has died or left since the world was read. */
    private record Publishing(CompletableFuture<Boolean> published) implements Step {
        boolean isOutdated() {
            return published.isDone() && !Futures.resultOf(published);
        }
    }

    Leadership(LoopContext<?> context, int k) {
        this.context = context;
        this.k = k;
    }

    /**
     * Becomes the leader if this rank is the lowest living one: requests the world once all others have stopped, and
     * again if a rank dies or leaves before the decision is published.
     */
    void assumeIfLowest() {
        boolean isToBeRead =
                step instanceof Following || (step instanceof Publishing publishing && publishing.isOutdated());
        if (isToBeRead && context.terminated().isLowestAlive(context.environment())) {
            step = new Reading(context.waker()
                    .wakeWhenDone(
                            context.leader().worldBefore(k, context.timings().barrierTimeout())));
        }
    }

    /**
     * Returns the world to {@linkplain #decide decide} from if this rank is the leader and all have stopped; otherwise
     * null.
     */
    @Nullable
    WorldBefore worldToAssign() {
        return step instanceof Reading reading && reading.world().isDone() ? Futures.resultOf(reading.world()) : null;
    }

    /** Decides for all. */
    void decide(WorldBefore before) {
        step = new Publishing(context.waker().wakeWhenDone(context.leader().decide(k, before, assign(before.world()))));
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

    private World assign(World before) {
        try {
            World next = context.rankAssignment().assign(before).checked();
            context.announcements().assigned(k, before, next);
            return next;
        } catch (RuntimeException | Error e) {
            throw new ResiliencyException("the rank assignment failed for iteration " + k + ": " + e.getMessage(), e);
        }
    }
}
