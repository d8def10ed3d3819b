package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.internal.cycle.Waker;
import dev.resiliency.inprocess.internal.protocol.Member;
import dev.resiliency.inprocess.internal.protocol.Member.Regrouped;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A rank's question about an iteration that it is not in yet. Confined to the monitor thread. */
final class NextIteration {
    private final Member member;
    private final Waker waker;
    private final int number;
    private final @Nullable OutcomeRegister ended;
    private final OutcomeRegister outcome;
    private @Nullable CompletableFuture<Regrouped> decision;

    /** {@code ended} belongs to the iteration two before, whose outcome is watched no longer; null if there is none. */
    NextIteration(Member member, Waker waker, int number, @Nullable OutcomeRegister ended) {
        this.member = member;
        this.waker = waker;
        this.number = number;
        this.ended = ended;
        this.outcome = new OutcomeRegister(waker::wake);
    }

    int number() {
        return number;
    }

    /** The outcome of that iteration: it may be interrupted before this rank enters it. */
    OutcomeRegister outcome() {
        return outcome;
    }

    /** Asks while the iteration before still runs, so that a restart has less to ask; only the first time. */
    void askAhead() {
        if (decision == null && member.answersLate()) {
            decision = ask();
        }
    }

    /**
     * Returns what was decided for this rank, once it is. Asks for it if that has not been done, or has failed: a store
     * that had no room for it an hour ago may have some now. What had been done of it is done again, to no effect.
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
        return waker.wakeWhenDone(member.awaitDecision(number, ended, outcome));
    }
}
