package dev.resiliency.inprocess.internal.loop;

import static java.util.Objects.requireNonNull;

import dev.resiliency.inprocess.ResiliencyException;
import dev.resiliency.inprocess.internal.cycle.Waker;
import dev.resiliency.inprocess.internal.protocol.RestartStore;
import dev.resiliency.inprocess.internal.protocol.RestartStore.Regrouped;
import dev.resiliency.inprocess.internal.protocol.RestartStore.WorldBefore;
import dev.resiliency.inprocess.rank.RankAssignment;
import dev.resiliency.inprocess.rank.World;
import dev.resiliency.store.IndexSet;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * A rank's way into iteration {@code k}: it arrives at the iteration barrier and waits for its decision. The lowest rank
 * that lives makes that decision for all. Which rank that is changes when it dies, so every rank is ready to be it; two
 * that take themselves for it do no harm, since the store lets only the first one's decision stand.
 */
final class Regrouping {
    private final RestartStore store;
    private final RankAssignment assignment;
    private final int k;
    private final NextIteration next;
    private final Duration timeout;
    private final Waker waker;
    private final Announcements announcements;
    private final CompletableFuture<?> arrival;
    private @Nullable CompletableFuture<WorldBefore> worldBefore;
    private @Nullable CompletableFuture<Boolean> decision;
    private @Nullable CompletableFuture<?> limited;

    Regrouping(
            RestartStore store,
            RankAssignment assignment,
            NextIteration next,
            Duration timeout,
            Waker waker,
            Announcements announcements) {
        this.store = store;
        this.assignment = assignment;
        this.k = next.number();
        this.next = next;
        this.timeout = timeout;
        this.waker = waker;
        this.announcements = announcements;
        this.arrival = waker.wakeWhenDone(store.arrive(k));
    }

    int iteration() {
        return k;
    }

    /** What is known of the outcome of iteration {@code k} itself: it may be interrupted before this rank enters it. */
    OutcomeRegister outcome() {
        return next.outcome();
    }

    /** What was decided for this rank; null while that is open. Throws what makes the decision impossible. */
    @Nullable
    Regrouped result() {
        if (next.decided().isDone()) {
            return get(next.decided());
        }
        throwFailureOf(arrival);
        throwFailureOf(limited);
        throwFailureOf(decision);
        return null;
    }

    private static void throwFailureOf(@Nullable CompletableFuture<?> request) {
        if (request != null && request.isCompletedExceptionally()) {
            get(request);
        }
    }

    /** It takes long: only so much longer, then {@link #result} throws who has not stopped. Later calls do nothing. */
    void limit(Duration rest) {
        if (!isLimited()) {
            limited = waker.wakeWhenDone(store.awaitDecisionWithin(k, rest, timeout));
        }
    }

    boolean isLimited() {
        return limited != null;
    }

    /**
     * Becomes the leader if this rank is the lowest that lives: it asks for the world when all others have stopped, and
     * again if a rank has died or left before the decision could be published.
     */
    void leadIfLowest(int rank, int initialWorldSize, IndexSet terminated) {
        boolean isToBeRead = worldBefore == null || isOutdated();
        if (isToBeRead && IndexSet.range(0, initialWorldSize).minus(terminated).lowest() == rank) {
            worldBefore = waker.wakeWhenDone(store.worldBefore(k, timeout));
            decision = null;
        }
    }

    private boolean isOutdated() {
        return decision != null && decision.isDone() && !get(decision);
    }

    /** Whether this rank is the leader, all have stopped, and the decision is to be made: by {@link #decide}. */
    boolean isDecisionDue() {
        return worldBefore != null && worldBefore.isDone() && decision == null;
    }

    /** Decides for all, as the leader. */
    void decide() {
        WorldBefore before = get(requireNonNull(worldBefore));
        decision = waker.wakeWhenDone(store.decide(k, before, assign(before.world())));
    }

    /** Whether this rank has decided as the leader, be it that another one was first. */
    boolean hasDecided() {
        return decision != null;
    }

    private World assign(World before) {
        try {
            World next = assignment.assign(before).checked();
            announcements.assigned(k, before, next);
            return next;
        } catch (RuntimeException | Error e) {
            throw new ResiliencyException("the rank assignment failed for iteration " + k + ": " + e.getMessage(), e);
        }
    }

    /** The result of a future that is done; what it failed with is thrown as it is. */
    private static <T> T get(CompletableFuture<T> done) {
        try {
            return done.join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw e;
        }
    }
}
