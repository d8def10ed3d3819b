package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.internal.cycle.Waker;
import dev.resiliency.inprocess.internal.protocol.RestartStore;
import dev.resiliency.inprocess.internal.protocol.RestartStore.Regrouped;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What a rank has asked about an iteration that it is not in yet.
 *
 * @param number its number
 * @param outcome what is known of its outcome: it may be interrupted before this rank enters it
 * @param decided what was decided for this rank in it, once it is
 */
record NextIteration(int number, OutcomeRegister outcome, CompletableFuture<Regrouped> decided) {

    /** Asks; {@code ended} belongs to the iteration two before, of which nothing more is to be heard. */
    static NextIteration ask(RestartStore store, int number, @Nullable OutcomeRegister ended, Waker waker) {
        return ask(store, number, ended, new OutcomeRegister(waker::wake), waker);
    }

    private static NextIteration ask(
            RestartStore store, int number, @Nullable OutcomeRegister ended, OutcomeRegister outcome, Waker waker) {
        return new NextIteration(number, outcome, waker.wakeWhenDone(store.awaitDecision(number, ended, outcome)));
    }

    /**
     * This, or the same asked again if that has failed: a store that had no room for it an hour ago may have some now. What
     * had been done of it is done again, to no effect.
     */
    NextIteration askedAgainIfFailed(RestartStore store, @Nullable OutcomeRegister ended, Waker waker) {
        return decided.isCompletedExceptionally() ? ask(store, number, ended, outcome, waker) : this;
    }
}
