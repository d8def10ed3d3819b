package dev.resiliency.inprocess.spi.refound;

import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The job whose store is lost, as one of its voters knows it. */
public interface VotersJob {
    /** Returns the number of the voter. */
    int voter();

    /** Returns whether the voter itself has died, and only its vote is left. */
    boolean isDead();

    /** Returns whether only its members accept a world: a voter that it leaves out cedes. */
    boolean onlyMembersAccept();

    /** Returns the part of a store that has the keys of the job. */
    SessionStore in(SessionStore session);

    /** Returns the prefix of the keys by which its store is founded, which no other run of it has. */
    String prefix();

    /**
     * Returns what a living voter writes with its vote for the store of this number: what that does when the voter dies before it has
     * gone on there, and what the founder is to know.
     */
    List<Operation<?>> withVote(SessionStore job, Term term);

    /**
     * Writes the job as it was.
     *
     * @param session on the store of this number
     * @param allowed the world on which that is founded, and whether it is complete
     * @param lost who hosted the store before
     * @param now when, for people
     * @param mark the last operation of the batch, which says that the store is founded
     */
    CompletableFuture<?> found(
            SessionStore session, Term term, Foundation allowed, int lost, Instant now, Operation<?> mark);

    /**
     * Goes on there from the world on which it was founded; for one that has died, accepts whatever that store decides next.
     *
     * @return whether the voter is still a member
     */
    CompletableFuture<Boolean> goOn(SessionStore job, Term term, KnownWorld base);
}
