package dev.resiliency.inprocess.internal.refound;

import dev.resiliency.inprocess.internal.cycle.Clock;
import dev.resiliency.inprocess.internal.cycle.Waker;
import dev.resiliency.inprocess.internal.protocol.FoundedStore;
import dev.resiliency.inprocess.internal.protocol.Identity;
import dev.resiliency.inprocess.internal.protocol.RestartStore;
import dev.resiliency.inprocess.internal.protocol.StoreSeat;
import dev.resiliency.inprocess.internal.refound.Election.Founded;
import dev.resiliency.inprocess.internal.refound.Election.Voting;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.PrefixStore;
import dev.resiliency.store.spi.SessionStore;
import java.util.List;
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
        this.job = new PrefixStore(scene.voting().prefix(), scene.session());
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

    final Batch batch() {
        return job.batch();
    }

    final <F extends CompletableFuture<?>> F wakeWhenDone(F answer) {
        return scene.waker().wakeWhenDone(answer);
    }

    final CompletableFuture<Batch.Results> submit(Batch batch) {
        return wakeWhenDone(batch.submit(scene.voting().limit()));
    }

    final FoundedStore storeOf(Term term) {
        return new FoundedStore(job, identity(term));
    }

    /** Returns the voter in the generation of this number. */
    final Identity identity(Term term) {
        Identity before = scene.voting().identity();
        return new Identity(
                before.rank(), before.worldSize(), before.generation().refounded(term.number()), before.run());
    }

    final String key(String name) {
        return FoundedStore.prefix(scene.voting().identity()) + name;
    }

    final void addVote(Batch batch, Term term) {
        int rank = scene.voting().identity().rank();
        Vote vote = scene.enrol().apply(term);
        if (!scene.voting().isDead()) {
            batch.add(storeOf(term).lastWill());
            batch.add(new Operation.AddToSet(key(term + CAME), IndexSet.of(rank)));
        }
        batch.add(new Operation.Set(key(term + VOTES + rank), Value.of(vote.write())));
    }

    /** Asks whether the voter has not been declared dead in the store of this number. */
    final CompletableFuture<Boolean> isMember(Term term) {
        return wakeWhenDone(
                new RestartStore(job, identity(term), List.of()).member().isMember());
    }

    final Founded founded(Term term, KnownWorld base, boolean isComplete, boolean isMember) {
        return new Founded(scene.session(), scene.seat(), term, identity(term), base, isComplete, isMember);
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
