package dev.resiliency.inprocess.internal.protocol;

import dev.resiliency.store.spi.SessionStore;
import java.util.List;

/** The restart protocol as one rank of a job takes part in it; the package documentation has its rules and keys. */
public final class RestartStore {
    /** The iteration before the first. */
    public static final int BEFORE_FIRST = JobKeys.BEFORE_FIRST;

    private final Member member;
    private final Leader leader;
    private final Terminations terminations;
    private final Heartbeats heartbeats;

    /** The view that initial rank {@code rank} of {@code worldSize} has of the job in {@code store}. */
    public RestartStore(SessionStore store, int rank, int worldSize) {
        this(store, rank, worldSize, List.of());
    }

    /**
     * The view of a rank that takes part in the job.
     *
     * @param groupKeys the keys by which the rank assignment groups this rank; empty if it needs none
     */
    public RestartStore(SessionStore store, int rank, int worldSize, List<String> groupKeys) {
        JobSession session = new JobSession(store, rank, worldSize);
        FaultRecords records = new FaultRecords(worldSize);
        terminations = new Terminations(session, records);
        member = new Member(session, terminations, records, groupKeys);
        leader = new Leader(session, !groupKeys.isEmpty());
        heartbeats = new Heartbeats(session);
    }

    /** How the rank takes part in the iterations. */
    public Member member() {
        return member;
    }

    /** How the rank decides for all, if it is the leader. */
    public Leader leader() {
        return leader;
    }

    /** How the job learns that the rank has died or left. */
    public Terminations terminations() {
        return terminations;
    }

    /** How monitor processes watch each other where the store keeps no sessions. */
    public Heartbeats heartbeats() {
        return heartbeats;
    }
}
