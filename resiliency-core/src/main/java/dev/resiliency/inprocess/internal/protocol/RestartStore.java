package dev.resiliency.inprocess.internal.protocol;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.rank.World;
import dev.resiliency.store.Change;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Store;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The restart protocol as one rank of a job takes part in it; the package documentation has its rules and keys. */
public final class RestartStore {
    /** The iteration before the first. */
    public static final int BEFORE_FIRST = JobKeys.BEFORE_FIRST;

    private final Member member;
    private final Leader leader;
    private final Terminations terminations;
    private final Heartbeats heartbeats;

    /** The view that initial rank {@code rank} of {@code worldSize} has of the job in {@code store}. */
    public RestartStore(Store store, int rank, int worldSize) {
        this(store, rank, worldSize, List.of());
    }

    /**
     * The view of a rank that takes part in the job.
     *
     * @param groupKeys the keys by which the rank assignment groups this rank; empty if it needs none
     */
    public RestartStore(Store store, int rank, int worldSize, List<String> groupKeys) {
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

    /** What a rank learns when iteration {@code k} is decided: its part in it, and what interrupted {@code k - 1}. */
    public record Regrouped(Decision decision, List<Interruption> interruptions) {}

    /**
     * What the leader of an iteration decides from.
     *
     * @param world that of the iteration before, in which those that have died or left since are marked as lost
     * @param terminated the ranks that have died or left
     */
    public record WorldBefore(World world, IndexSet terminated) {}

    /** See {@link Member#watchTerminated}. */
    public void watchTerminated(Consumer<? super Change> listener) {
        member.watchTerminated(listener);
    }

    /** See {@link Member#lease}. */
    public void lease(Duration lease) {
        member.lease(lease);
    }

    /** See {@link Member#answersLate}. */
    public boolean answersLate() {
        return member.answersLate();
    }

    /** See {@link Member#awaitDecision}. */
    public CompletableFuture<Regrouped> awaitDecision(
            int k, @Nullable Consumer<? super Change> ended, Consumer<? super Change> outcome) {
        return member.awaitDecision(k, ended, outcome);
    }

    /** See {@link Member#arrive}. */
    public CompletableFuture<?> arrive(int k) {
        return member.arrive(k);
    }

    /** See {@link Member#awaitDecisionWithin}. */
    public CompletableFuture<?> awaitDecisionWithin(int k, Duration limit, Duration waited) {
        return member.awaitDecisionWithin(k, limit, waited);
    }

    /** See {@link Outcome#in}. */
    public static @Nullable Outcome outcomeOf(Change change) {
        return Outcome.in(change);
    }

    /** See {@link Member#interrupt}. */
    public CompletableFuture<Outcome> interrupt(int k, List<Interruption> interruptions) {
        return member.interrupt(k, interruptions);
    }

    /** See {@link Member#complete}. */
    public CompletableFuture<?> complete(int k, Duration timeout) {
        return member.complete(k, timeout);
    }

    /** See {@link Member#part}. */
    public CompletableFuture<?> part(Duration timeout) {
        return member.part(timeout);
    }

    /** See {@link Member#userStore}. */
    public Store userStore(int k) {
        return member.userStore(k);
    }

    /** See {@link Leader#worldBefore}. */
    public CompletableFuture<WorldBefore> worldBefore(int k, Duration timeout) {
        return leader.worldBefore(k, timeout);
    }

    /** See {@link Leader#decide}. */
    public CompletableFuture<Boolean> decide(int k, WorldBefore before, World next) {
        return leader.decide(k, before, next);
    }

    /** See {@link Terminations#leave}. */
    public CompletableFuture<?> leave(int k, Interruption interruption) {
        return terminations.leave(k, interruption);
    }

    /** See {@link Terminations#leaveSilently}. */
    public CompletableFuture<?> leaveSilently() {
        return terminations.leaveSilently();
    }

    /** See {@link Terminations#leaveBeforeFirst}. */
    public void leaveBeforeFirst() {
        terminations.leaveBeforeFirst();
    }
}
