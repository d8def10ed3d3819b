package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.Elasticity.Admission;
import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.ResiliencyException;
import dev.resiliency.inprocess.internal.cycle.Stopwatch;
import dev.resiliency.inprocess.internal.protocol.Leader.WorldBefore;
import dev.resiliency.inprocess.rank.World;
import dev.resiliency.store.IndexSet;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Interrupts a running iteration for processes that wait to join, or wants it to stop at a safe point, on one rank
 * alone: rule 12. They must make the active world larger, so one that would only be a reserve waits for the next
 * restart. Confined to the monitor thread.
 */
final class Recruiting<R> {
    private static final int NONE = -1;

    private final LoopContext<R> context;
    private final Iteration<R> iteration;
    /** The version of the newcomers that {@code trial} has seen. */
    private int seen = NONE;
    /** Null unless the world is being read. */
    private @Nullable CompletableFuture<WorldBefore> trial;
    /** Null unless someone waits for whom the iteration is to be interrupted. */
    private @Nullable Gain gain;

    /**
     * What an interruption would bring.
     *
     * @param joiners who would become active
     * @param isAll whether the active world would be as large as it may be, so that there is no one to wait for
     */
    private record Gain(IndexSet joiners, boolean isAll, Stopwatch since) {}

    Recruiting(LoopContext<R> context, Iteration<R> iteration) {
        this.context = context;
        this.iteration = iteration;
    }

    /** Looks at who waits; interrupts the iteration, or wants a safe point, if that is due. */
    void step() {
        Admission.Kind kind = context.elasticity().admission().kind();
        boolean isMine = switch (kind) {
            case IMMEDIATELY ->
                context.terminated().isLowestAlive(context.identity().rank(), iteration.members());
            case AT_SAFE_POINT -> iteration.safePoint().isPublishedHere();
            case AT_NEXT_RESTART, NEVER -> false;
        };
        if (!isMine) {
            return;
        }
        context.newcomers().watch();
        lookAgain();
        boolean isPaused = context.pausesAdmission();
        Gain found = gain;
        if (found == null) {
            iteration.safePoint().withdraw();
        } else if (!isPaused && (found.isAll() || found.since().hasReached(joinWait()))) {
            Interruption reason = iteration.interruption(
                    Interruption.Kind.SCALE_UP,
                    found.joiners().size() == 1
                            ? "rank " + found.joiners().lowest() + " waits"
                            : "ranks " + found.joiners() + " wait");
            if (kind == Admission.Kind.AT_SAFE_POINT) {
                iteration
                        .safePoint()
                        .want(reason, context.elasticity().admission().atMost());
            } else {
                iteration.interrupt(List.of(reason));
            }
        }
    }

    private Duration joinWait() {
        return context.elasticity().joinWait();
    }

    /** Assigns the ranks on trial whenever somebody has come or gone. */
    private void lookAgain() {
        CompletableFuture<WorldBefore> read = trial;
        if (read != null && read.isDone()) {
            trial = null;
            if (read.isCompletedExceptionally()) {
                seen = NONE; // read again in the next step: the store may have room for the answer by then
                return;
            }
            gain = gainOf(read.join());
        }
        IndexSet terminated = context.terminated().all();
        int version = context.versionOfWorld();
        if (trial == null && version != seen) {
            seen = version;
            if (context.newcomers().anyBeyond(iteration.members(), terminated)) {
                trial = context.waker().wakeWhenDone(context.leader().worldNow(iteration.number()));
            } else {
                gain = null;
            }
        }
    }

    private @Nullable Gain gainOf(WorldBefore before) {
        context.assignment().refusals(before.world()).forEach(context.announcements()::cannotAdmit);
        World next;
        try {
            next = context.assignment().assign(iteration.number() + 1, before.world());
        } catch (ResiliencyException e) {
            context.announcements().cannotAdmit(e.getMessage());
            return null;
        }
        if (next.activeSize() <= iteration.state().activeWorldSize()) {
            return null;
        }
        IndexSet joiners = before.joiners().intersection(next.activeMembers());
        boolean isAll = next.activeSize() >= context.assignment().maxActive();
        return new Gain(joiners, isAll, gain == null ? context.startStopwatch() : gain.since());
    }

    /** Returns the nanoseconds until an interruption is due. */
    long untilNextCheck() {
        if (gain == null) {
            return Long.MAX_VALUE;
        }
        long due = Math.max(
                gain.since().nanosUntil(joinWait()), context.admissionPause().nanosLeft());
        return due > 0 ? due : Long.MAX_VALUE;
    }
}
