package dev.resiliency.inprocess.internal.protocol;

import dev.resiliency.inprocess.spi.refound.StoreSeat;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Batch;
import dev.resiliency.store.spi.Batch.Handle;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** One rank's view of the restart protocol; the package documentation has its rules and keys. */
public final class RestartStore {
    /** The iteration before the first. */
    public static final int BEFORE_FIRST = JobKeys.BEFORE_FIRST;

    private final JobSession session;
    private final Joiner joiner;
    private final Member member;
    private final Leader leader;
    private final SafePoints safePoints;
    private final FirstSteps firstSteps;
    private final Terminations terminations;

    /** Creates the view of initial rank {@code rank} of {@code worldSize} of the first generation of a job. */
    public RestartStore(SessionStore store, int rank, int worldSize) {
        this(store, new Identity(rank, worldSize, Generation.FIRST, ""), List.of());
    }

    /**
     * Creates the view of a rank that takes part in the job.
     *
     * @param store has the prefix of the job's keys
     * @param groupKeys the keys by which the rank assignment groups this rank; empty if it needs none
     */
    public RestartStore(SessionStore store, Identity identity, List<String> groupKeys) {
        this(store, identity, groupKeys, null);
    }

    /**
     * Creates the view of a rank that takes part in the job.
     *
     * @param host who hosts the store that survivors found anew when it is lost; null if they do not
     */
    public RestartStore(SessionStore store, Identity identity, List<String> groupKeys, @Nullable StoreSeat host) {
        session = new JobSession(store, identity, host);
        FaultRecords records = new FaultRecords(identity);
        terminations = new Terminations(session, records);
        joiner = new Joiner(session, terminations, groupKeys);
        member = new Member(session, terminations, records, groupKeys);
        leader = new Leader(session, records, !groupKeys.isEmpty());
        safePoints = new SafePoints(session, terminations, records);
        firstSteps = new FirstSteps(session);
    }

    /** Returns what the store has made of this process. */
    public Identity identity() {
        return session.identity();
    }

    /**
     * Returns whether the store holds this generation of the job, or one whose keys are deleted, as the job is complete or
     * has moved on: nobody whom it could disturb is left. A store that was started anew holds none, or another.
     */
    public CompletableFuture<Boolean> holdsRun() {
        Identity identity = session.identity();
        Batch batch = session.batch();
        Handle<Value> run = batch.add(JobSession.peek(session.keys().run()));
        Handle<Value> generation = batch.add(JobSession.peek(JobKeys.GENERATION));
        Handle<IndexSet> finished = batch.add(new Operation.Members(JobKeys.FINISHED));
        return batch.submit(session.limit())
                .thenApply(results -> results.get(run).text().equals(identity.run())
                        || !results.get(finished).isEmpty()
                        || isBefore(results.get(generation), identity.generation()));
    }

    private static boolean isBefore(Value running, Generation own) {
        return running.size() > 0 && Generation.read(running.text()).number() > own.number();
    }

    /** Returns the side of the protocol by which a process waits to be admitted. */
    public Joiner joiner() {
        return joiner;
    }

    /** Returns the side of the protocol by which the rank takes part in iterations. */
    public Member member() {
        return member;
    }

    /** Returns the side of the protocol by which the rank decides for all if it is the leader. */
    public Leader leader() {
        return leader;
    }

    /** Returns the side of the protocol by which the active ranks stop at the same step of the function. */
    public SafePoints safePoints() {
        return safePoints;
    }

    /** Returns the side of the protocol by which a rank learns whether it waits for one that has made no step yet. */
    public FirstSteps firstSteps() {
        return firstSteps;
    }

    /** Returns the side of the protocol by which the job learns that the rank has died or left. */
    public Terminations terminations() {
        return terminations;
    }
}
