package dev.resiliency.examples.bench.store;

import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.internal.protocol.Enrollment;
import dev.resiliency.inprocess.internal.protocol.Generation;
import dev.resiliency.inprocess.internal.protocol.Identity;
import dev.resiliency.inprocess.internal.protocol.RestartStore;
import dev.resiliency.inprocess.rank.GroupKey;
import dev.resiliency.inprocess.rank.Layer;
import dev.resiliency.inprocess.rank.Tree;
import dev.resiliency.inprocess.spi.refound.StoreSeat;
import dev.resiliency.inprocess.spi.refound.Term;
import dev.resiliency.store.spi.PrefixStore;
import dev.resiliency.store.spi.SessionStore;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * The simulated job: racks of hosts of 8 ranks, of which 7 are active.
 *
 * @param ranks number of ranks
 * @param host the rank that hosts the store, which survivors found anew when it is lost; null if nobody does
 */
public record SimulatedJob(int ranks, @Nullable StoreSeat host) {
    static final Duration TIMEOUT = Duration.ofMinutes(2);

    /** The prefix of all its keys, as the wrapper uses it for its first call. */
    static final String PREFIX = "jobs/bench/call-0";

    private static final int RANKS_PER_HOST = 8;
    private static final int RANKS_PER_RACK = 128;
    private static final int ACTIVE_PER_HOST = 7;

    /** Creates a job that ends with its store. */
    public SimulatedJob(int ranks) {
        this(ranks, null);
    }

    /** Returns a job of the same size whose last rank hosts the store. */
    SimulatedJob hosted() {
        return new SimulatedJob(ranks, seatOf(ranks - 1, 0));
    }

    boolean outlivesItsStore() {
        return host != null;
    }

    /** Returns the number of its first store. */
    Term term() {
        return new Term(0, host == null ? 0 : host.rank());
    }

    static StoreSeat seatOf(int rank, int port) {
        return new StoreSeat(rank, "127.0.0.1", port);
    }

    /** Returns its rank assignment. */
    Tree assignment() {
        return new Tree(
                Layer.root(),
                Layer.by(GroupKey.initialRankDividedBy(RANKS_PER_RACK)),
                Layer.by(GroupKey.initialRankDividedBy(RANKS_PER_HOST))
                        .minRanks(2)
                        .maxRanks(ACTIVE_PER_HOST));
    }

    /** Returns the enrollment of a founder, as the wrapper makes it; rank 0 does not host the store. */
    Enrollment enrollment(int rank, SessionStore store) {
        return new Enrollment(new PrefixStore(PREFIX, store), rank, ranks, "", 0, TIMEOUT, true, OptionalInt.empty());
    }

    /** Returns the restart protocol of a founder, without the id of its run, which only monitor processes need. */
    RestartStore protocol(int rank, SessionStore store) {
        return protocol(new Identity(rank, ranks, Generation.FIRST, ""), store, host);
    }

    /** Returns the restart protocol of a rank on the store that this seat hosts. */
    static RestartStore protocol(Identity identity, SessionStore store, @Nullable StoreSeat host) {
        int rank = identity.rank();
        List<String> location = List.of("root", "" + rank / RANKS_PER_RACK, "" + rank / RANKS_PER_HOST);
        return new RestartStore(new PrefixStore(PREFIX, store), identity, location, host);
    }

    /** Returns how a rank comes into an iteration. */
    static State.Entry entryOf(int iteration) {
        return iteration == 0 ? State.Entry.FOUNDED : State.Entry.SURVIVED;
    }

    /** Returns the rank that fails: one in the middle, not the leader. */
    int victim() {
        return ranks / 2;
    }

    /** Returns the name of its runs. */
    @Override
    public String toString() {
        return ranks + " simulated ranks";
    }
}
