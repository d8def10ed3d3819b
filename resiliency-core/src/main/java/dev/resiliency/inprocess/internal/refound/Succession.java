package dev.resiliency.inprocess.internal.refound;

import dev.resiliency.inprocess.internal.protocol.RestartStore;
import dev.resiliency.inprocess.spi.refound.Election;
import dev.resiliency.inprocess.spi.refound.StoreSeat;
import dev.resiliency.inprocess.spi.refound.Vote;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** How a rank goes on when the host of its store is lost: what its restart loop needs for that. */
public interface Succession {
    /** Returns where this rank would host the store; null if it cannot. */
    @Nullable
    StoreSeat seat();

    /** Keeps what this rank remembers as a voter where it outlives this process. */
    void remember(Vote vote, List<StoreSeat> successors);

    /**
     * Gives the vote of this rank, or founds a store with those of others; on another thread. Fails with {@link
     * dev.resiliency.store.StoreLostException} if the job cannot go on.
     */
    CompletableFuture<Moved> begin(Vote vote, List<StoreSeat> successors);

    /** Lets go of the store that is lost: from now on this rank uses the other one. */
    void move(Moved moved);

    /**
     * The store on which the job goes on.
     *
     * @param founded where and how it was founded
     * @param store this rank's view of it
     */
    record Moved(Election.Founded founded, RestartStore store) {}
}
