package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.internal.protocol.RestartStore;
import dev.resiliency.store.StoreLostException;
import org.jspecify.annotations.Nullable;

/** The rank that hosts a store, which ends with its process: when it has left, that is why the store was lost. */
final class StoreHost {
    private final String address;
    private final int rank;
    private final boolean isHere;
    /** Why that rank has gone. Written by the store's thread, before the store is lost. */
    private volatile @Nullable Interruption end;

    /**
     * @param address that of the store
     * @param isHere whether that rank is this process
     */
    StoreHost(String address, int rank, boolean isHere) {
        this.address = address;
        this.rank = rank;
        this.isHere = isHere;
    }

    /** Returns the rank that hosts this store, as one of its ranks does. */
    static StoreHost of(RestartStore store) {
        int rank = store.member().hostRank();
        return new StoreHost(
                store.member().storeAddress(), rank, rank == store.identity().rank());
    }

    /** Returns nobody: no rank hosts the store. */
    static StoreHost none() {
        return new StoreHost("", -1, false);
    }

    /** Returns whether this process hosts the store, so that the job ends with it. */
    boolean isHere() {
        return isHere;
    }

    /** Learns why that rank has gone. */
    void ends(Interruption why) {
        end = why;
    }

    /**
     * Returns that the store counts as lost, though it still answers: the process of its host hangs, and is being ended by its
     * monitor process, so a restart on that store would be followed by another in a moment. Null if that is not so.
     */
    @Nullable
    StoreLostException lossAhead() {
        Interruption known = end;
        return !isHere && known != null && known.kind() == Interruption.Kind.HARD_TIMEOUT
                ? new StoreLostException(address, "store at %s is about to end".formatted(address), null)
                : null;
    }

    /** Returns the same with its true reason, if it is the loss of a store whose host has gone. */
    Throwable explain(Throwable reason) {
        Interruption known = end;
        return known != null && reason instanceof StoreLostException lost
                ? new StoreLostException(
                        lost.address(),
                        "store at %s was lost with rank %d, which hosted it and has left the job: %s"
                                .formatted(lost.address(), rank, known),
                        lost)
                : reason;
    }
}
