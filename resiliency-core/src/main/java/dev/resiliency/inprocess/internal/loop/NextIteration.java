package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.internal.cycle.Waker;
import dev.resiliency.inprocess.internal.protocol.Member;
import dev.resiliency.inprocess.internal.protocol.Member.Regrouped;
import dev.resiliency.inprocess.spi.refound.KnownWorld;
import dev.resiliency.store.IndexSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A rank's request for its part in an iteration that it has not entered yet. Confined to the monitor thread. */
final class NextIteration {
    private final Member member;
    private final Waker waker;
    private final int number;
    private final State.Entry entry;
    private final int position;
    private final IndexSet membersBefore;
    private final @Nullable OutcomeRegister ended;
    private final OutcomeRegister outcome;
    private @Nullable CompletableFuture<Regrouped> decision;

    /**
     * Creates the request.
     *
     * @param entry how this rank will enter the iteration
     * @param position the position of this rank in the world before
     * @param membersBefore the members of that world; empty for a joiner, which does not know them
     * @param ended belongs to the iteration two before, whose outcome is no longer watched; null if there is none
     */
    NextIteration(
            LoopContext<?> context,
            int number,
            State.Entry entry,
            int position,
            IndexSet membersBefore,
            @Nullable OutcomeRegister ended) {
        this.member = context.member();
        this.waker = context.waker();
        this.number = number;
        this.entry = entry;
        this.position = position;
        this.membersBefore = membersBefore;
        this.ended = ended;
        this.outcome = new OutcomeRegister(waker::wake);
    }

    /**
     * Creates the request of a rank that goes back to the world on which its store was founded.
     *
     * @param position the position of this rank in it
     */
    static NextIteration after(LoopContext<?> context, KnownWorld base, int position) {
        return new NextIteration(context, base.iteration() + 1, State.Entry.SURVIVED, position, base.members(), null);
    }

    State.Entry entry() {
        return entry;
    }

    /** Returns the members of the iteration before; empty for a joiner. */
    IndexSet membersBefore() {
        return membersBefore;
    }

    int number() {
        return number;
    }

    int position() {
        return position;
    }

    /** Returns the outcome of that iteration, which may be interrupted before this rank enters it. */
    OutcomeRegister outcome() {
        return outcome;
    }

    /**
     * Sends the request while the previous iteration still runs, so that a restart has less to send; only the first
     * time.
     */
    void askAhead() {
        if (decision == null) {
            decision = ask();
        }
    }

    /**
     * Returns the decision about this rank. Sends the request if that has not been done or has failed: a store that had
     * no room for it an hour ago may have some now. Whatever was already done is done again without effect.
     */
    CompletableFuture<Regrouped> askOnce() {
        CompletableFuture<Regrouped> asked = decision;
        if (asked == null || asked.isCompletedExceptionally()) {
            asked = ask();
            decision = asked;
        }
        return asked;
    }

    private CompletableFuture<Regrouped> ask() {
        return waker.wakeWhenDone(member.awaitDecision(number, entry, position, ended, outcome));
    }
}
