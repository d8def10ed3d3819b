package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.RankDiscardedException;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.TooFewRanksException;
import dev.resiliency.inprocess.internal.protocol.Decision;
import dev.resiliency.inprocess.internal.protocol.Member.Regrouped;
import dev.resiliency.store.IndexSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The entry of a founder, a survivor or a joiner into an iteration that the leader has decided. */
final class Entering {
    private Entering() {}

    /**
     * Starts the iteration, unless the decision is that this rank has to leave.
     *
     * @param restart what this rank comes from; null if this is its first iteration
     * @throws RankDiscardedException if the rank assignment has left it out
     * @throws TooFewRanksException if the job ends
     */
    static <R> Running<R> enter(
            LoopContext<R> context, NextIteration next, Regrouped regrouped, @Nullable Stopped<R> restart) {
        Decision.Placed placed = placed(context, regrouped.decision());
        List<Interruption> interruptions =
                restart == null ? regrouped.interruptions() : restart.all(regrouped.interruptions());
        context.margin().learn(interruptions);
        Iteration<R> before = restart == null ? null : restart.iteration();
        Iteration<R> entered = new Iteration<>(
                context,
                placed.state(),
                members(next, regrouped),
                next.outcome(),
                before,
                restart == null ? "" : lastFault(interruptions));
        Running<R> running = new Running<>(context, entered);
        context.admissionPause().admitted(placed.added());
        // Only after the worker has started: otherwise logs and listeners would delay every restart.
        if (restart != null) {
            context.announcements()
                    .restarted(
                            restart.timer().report(interruptions, restart.stoppedBy(), entered.state(), placed.added()),
                            restart.timer());
            Throwable thrown = restart.iteration().thrownAtTheStop();
            int self = entered.state().initialRank();
            if (thrown != null
                    && interruptions.stream().allMatch(each -> each.kind().isFollowing() || each.rank() == self)) {
                context.announcements().threwAtTheStop(thrown);
            }
        } else if (placed.state().entry() != State.Entry.JOINED) {
            context.announcements().startsWithout(interruptions, context.admitsJoiners());
            if (placed.state().entry() == State.Entry.SURVIVED) {
                context.announcements().goesOn(entered.state());
            }
        }
        context.announcements().iterationStarted(entered.state(), entered.lastEvent());
        context.announcements().roleChanged(placed.change());
        return running;
    }

    private static Decision.Placed placed(LoopContext<?> context, Decision decision) {
        if (decision instanceof Decision.Discarded discarded) {
            throw new RankDiscardedException(context.identity().rank(), discarded.iteration(), discarded.reason());
        }
        if (decision instanceof Decision.TooFewRanks tooFew) {
            throw tooFew.shortage().toException();
        }
        return (Decision.Placed) decision;
    }

    /** Returns whether this rank takes part. */
    static boolean isPlaced(Regrouped regrouped) {
        return regrouped.decision() instanceof Decision.Placed;
    }

    /** Returns the members of an iteration that this rank takes part in. */
    static IndexSet members(NextIteration next, Regrouped regrouped) {
        Decision.Placed placed = (Decision.Placed) regrouped.decision();
        return placed.state().entry() == State.Entry.JOINED
                ? regrouped.members()
                : next.membersBefore().minus(placed.removed()).union(placed.added());
    }

    private static String lastFault(List<Interruption> interruptions) {
        return interruptions.isEmpty() ? "" : interruptions.get(0).toString();
    }
}
