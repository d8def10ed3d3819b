package dev.resiliency.inprocess.spi.refound;

import dev.resiliency.inprocess.internal.cycle.Clock;
import dev.resiliency.inprocess.internal.cycle.Waker;
import dev.resiliency.inprocess.spi.refound.Election.Founded;
import dev.resiliency.inprocess.spi.refound.Election.Voting;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What one voter has to do with one successor, in a session on its server. Never blocks. */
abstract sealed class Turn permits Offer, Candidacy {
    static final String STANDS = "stands";
    static final String FOUNDED = "/founded";
    static final String CAME = "/came";
    static final String VOTES = "/votes/";

    private final Scene scene;
    private final SessionStore job;

    /**
     * Where it takes place.
     *
     * @param session on the server of the seat; closed by the election, or handed on with the store that is founded
     * @param enrol returns the vote for this number, which is then given for good
     * @param cede notes that this vote counts nowhere else from now on
     */
    record Scene(
            Voting voting,
            StoreSeat seat,
            SessionStore session,
            Clock clock,
            Waker waker,
            Function<Term, Vote> enrol,
            Runnable cede) {}

    Turn(Scene scene) {
        this.scene = scene;
        this.job = scene.voting().job().in(scene.session());
    }

    /**
     * Proceeds as far as possible.
     *
     * @return the store that is founded; null while none is
     * @throws StoreException if this successor founds none
     */
    abstract @Nullable Founded step();

    /** Returns why there is no store yet. */
    abstract String whyWithout();

    abstract long untilNextStep();

    final Scene scene() {
        return scene;
    }

    final SessionStore session() {
        return scene.session();
    }

    final VotersJob votersJob() {
        return scene.voting().job();
    }

    final SessionStore job() {
        return job;
    }

    final Batch batch() {
        return job.batch();
    }

    final <F extends CompletableFuture<?>> F wakeWhenDone(F answer) {
        return scene.waker().wakeWhenDone(answer);
    }

    final CompletableFuture<Batch.Results> submit(Batch batch) {
        return wakeWhenDone(batch.submit(scene.voting().limit()));
    }

    final String key(String name) {
        return votersJob().prefix() + name;
    }

    final void addVote(Batch batch, Term term) {
        int voter = votersJob().voter();
        Vote vote = scene.enrol().apply(term);
        if (!votersJob().isDead()) {
            votersJob().withVote(job, term).forEach(batch::add);
            batch.add(new Operation.AddToSet(key(term + CAME), IndexSet.of(voter)));
        }
        batch.add(new Operation.Set(key(term + VOTES + voter), Value.of(vote.write())));
    }

    final Founded founded(Term term, KnownWorld base, boolean isComplete, boolean isMember) {
        return new Founded(scene.session(), scene.seat(), term, base, isComplete, isMember);
    }

    /** Returns the answer of a store if it is there; null if it is not. */
    static <T> @Nullable T answerOf(CompletableFuture<T> answer) {
        try {
            return answer.getNow(null);
        } catch (CompletionException e) {
            throw e.getCause() instanceof StoreException failure
                    ? failure
                    : new StoreException(String.valueOf(e.getCause()), e.getCause());
        }
    }
}
