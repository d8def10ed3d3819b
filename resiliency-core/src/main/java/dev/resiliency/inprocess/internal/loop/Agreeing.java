package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.internal.protocol.Decision;
import dev.resiliency.inprocess.internal.protocol.Member.Regrouped;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Accepts the world that the leader has decided, and waits until it is agreed: only then the function is called. */
final class Agreeing<R> extends Stage<R> {
    private final NextIteration next;
    private final Regrouped regrouped;
    private final @Nullable Stopped<R> restart;
    private final CompletableFuture<?> agreement;

    private Agreeing(LoopContext<R> context, NextIteration next, Regrouped regrouped, @Nullable Stopped<R> restart) {
        super(context, LoopState.AGREEING, restart == null ? null : restart.iteration());
        this.next = next;
        this.regrouped = regrouped;
        this.restart = restart;
        this.agreement = context.waker()
                .wakeWhenDone(context.member()
                        .agree(
                                next.number(),
                                next.entry() == State.Entry.SURVIVED,
                                context.timings().barrierTimeout()));
    }

    /**
     * Enters the iteration, if need be once its world is agreed.
     *
     * @param restart what this rank comes from; null if this is its first iteration
     */
    static <R> Stage<R> enter(
            LoopContext<R> context, NextIteration next, Regrouped regrouped, @Nullable Stopped<R> restart) {
        if (!context.voter().votes() || !Entering.isPlaced(regrouped)) {
            return Entering.enter(context, next, regrouped, restart);
        }
        if (next.entry() != State.Entry.JOINED) { // whoever joins has a vote once it is a member
            accept(context, next, regrouped);
        }
        return next.entry() == State.Entry.FOUNDED
                ? Entering.enter(context, next, regrouped, restart)
                : new Agreeing<>(context, next, regrouped, restart);
    }

    private static void accept(LoopContext<?> context, NextIteration next, Regrouped regrouped) {
        State placed = ((Decision.Placed) regrouped.decision()).state();
        context.voter().accept(next.number(), Entering.members(next, regrouped), placed.rank(), regrouped.successors());
    }

    @Override
    @Nullable
    Stage<R> next() {
        if (context.departure().heedFailureOf(agreement, iteration())) {
            return new Leaving<>(context, iteration());
        }
        if (context.voter().isAdrift() && restart != null) {
            context.announcements().losesStoreInDoubt(next.number());
            return new Refounding<>(context, restart.interruptedBy(regrouped.interruptions()));
        }
        if (!agreement.isDone()) {
            return null;
        }
        if (next.entry() == State.Entry.JOINED) {
            accept(context, next, regrouped);
        }
        context.voter().agree();
        return Entering.enter(context, next, regrouped, restart);
    }
}
