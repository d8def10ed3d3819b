package dev.resiliency.inprocess.internal.refound;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.internal.protocol.FoundedStore;
import dev.resiliency.inprocess.internal.protocol.Identity;
import dev.resiliency.inprocess.internal.protocol.RestartStore;
import dev.resiliency.inprocess.spi.refound.Foundation;
import dev.resiliency.inprocess.spi.refound.KnownWorld;
import dev.resiliency.inprocess.spi.refound.Term;
import dev.resiliency.inprocess.spi.refound.VotersJob;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.PrefixStore;
import dev.resiliency.store.spi.SessionStore;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A job of ranks, one of which hosted the store.
 *
 * @param identity the voter, in the generation whose store is lost
 * @param keys the prefix of the job's keys
 * @param death why the voter's process has died; null if it lives
 * @param told what that store has still told
 */
public record RanksJob(
        Identity identity, String keys, @Nullable Interruption death, Told told) implements VotersJob {
    /**
     * What a store has still told as its host was being ended.
     *
     * @param records of the faults of that iteration
     */
    public record Told(int iteration, String records) {
        public static final Told NOTHING = new Told(RestartStore.BEFORE_FIRST, "");
    }

    /** A voter that has learned nothing more of the store that is lost. */
    public RanksJob(Identity identity, String keys, @Nullable Interruption death) {
        this(identity, keys, death, Told.NOTHING);
    }

    /** Returns the voter in the generation of this number. */
    public Identity identity(Term term) {
        return new Identity(
                identity.rank(), identity.worldSize(), identity.generation().refounded(term.number()), identity.run());
    }

    private FoundedStore storeOf(SessionStore job, Term term) {
        return new FoundedStore(job, identity(term));
    }

    @Override
    public int voter() {
        return identity.rank();
    }

    @Override
    public boolean isDead() {
        return death != null;
    }

    @Override
    public boolean onlyMembersAccept() {
        return true;
    }

    @Override
    public SessionStore in(SessionStore session) {
        return new PrefixStore(keys, session);
    }

    @Override
    public String prefix() {
        return FoundedStore.prefix(identity);
    }

    @Override
    public List<Operation<?>> withVote(SessionStore job, Term term) {
        return List.of(storeOf(job, term).lastWill());
    }

    @Override
    public CompletableFuture<?> found(
            SessionStore session, Term term, Foundation allowed, int lost, Instant now, Operation<?> mark) {
        int k = allowed.base().iteration();
        Interruption why =
                new Interruption(lost, Interruption.Kind.TERMINATED, now, "the store that it hosted is lost");
        String records = told.iteration() == k ? told.records() : "";
        return storeOf(in(session), term).found(k, allowed.base().text(), allowed.isComplete(), records, why, mark);
    }

    @Override
    public CompletableFuture<Boolean> goOn(SessionStore job, Term term, KnownWorld base) {
        if (death != null) {
            return storeOf(job, term).cede(base.iteration(), death).thenApply(done -> false);
        }
        return base.members().contains(identity.rank())
                ? storeOf(job, term).goOn(base.iteration())
                : CompletableFuture.completedFuture(false);
    }
}
