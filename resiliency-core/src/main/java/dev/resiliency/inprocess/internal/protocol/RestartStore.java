package dev.resiliency.inprocess.internal.protocol;

import dev.resiliency.store.spi.SessionStore;
import java.util.List;

/** One rank's view of the restart protocol; the package documentation has its rules and keys. */
public final class RestartStore {
    /** The iteration before the first. */
    public static final int BEFORE_FIRST = JobKeys.BEFORE_FIRST;

    private final Admission admission;
    private final Member member;
    private final Leader leader;
    private final Terminations terminations;
    private final Heartbeats heartbeats;

    /** Creates the view of initial rank {@code rank} of {@code worldSize} of the job in {@code store}. */
    public RestartStore(SessionStore store, int rank, int worldSize) {
        this(store, rank, worldSize, List.of());
    }

    /**
     * Creates the view of a rank that takes part in the job.
     *
     * @param groupKeys the keys by which the rank assignment groups this rank; empty if it needs none
     */
    public RestartStore(SessionStore store, int rank, int worldSize, List<String> groupKeys) {
        JobSession session = new JobSession(store, rank, worldSize);
        FaultRecords records = new FaultRecords(worldSize);
        terminations = new Terminations(session, records);
        admission = new Admission(session, terminations);
        member = new Member(session, terminations, records, groupKeys);
        leader = new Leader(session, records, !groupKeys.isEmpty());
        heartbeats = new Heartbeats(session);
    }

    /** Returns the side of the protocol by which the job admits the rank. */
    public Admission admission() {
        return admission;
    }

    /** Returns the side of the protocol by which the rank takes part in iterations. */
    public Member member() {
        return member;
    }

    /** Returns the side of the protocol by which the rank decides for all if it is the leader. */
    public Leader leader() {
        return leader;
    }

    /** Returns the side of the protocol by which the job learns that the rank has died or left. */
    public Terminations terminations() {
        return terminations;
    }

    /** Returns the heartbeats by which monitor processes watch each other where the store keeps no sessions. */
    public Heartbeats heartbeats() {
        return heartbeats;
    }
}
