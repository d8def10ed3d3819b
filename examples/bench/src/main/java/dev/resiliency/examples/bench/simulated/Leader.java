package dev.resiliency.examples.bench.simulated;

import dev.resiliency.inprocess.internal.protocol.Enrollment;
import dev.resiliency.inprocess.internal.protocol.Leader.WorldBefore;
import dev.resiliency.inprocess.internal.protocol.Member.Regrouped;
import dev.resiliency.inprocess.internal.protocol.RestartStore;
import dev.resiliency.inprocess.rank.RankAssignment;
import dev.resiliency.inprocess.rank.World;
import dev.resiliency.store.Change;
import dev.resiliency.store.tcp.TcpStore;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Rank 0 with a real client of the store: it assigns all ranks. Its steps are those of the restart loop, on a thread of
 * its own.
 */
final class Leader implements AutoCloseable {
    private static final int RANK = 0;
    private static final Duration END_LIMIT = Duration.ofSeconds(5);

    private final TcpStore connection;
    private final Enrollment enrollment;
    private final RestartStore store;
    private final RankAssignment assignment;
    private final ExecutorService thread = Executors.newSingleThreadExecutor(task -> {
        Thread leader = new Thread(task, "leader");
        leader.setDaemon(true);
        return leader;
    });
    private @Nullable Iteration previous;
    private Iteration current = new Iteration(RestartStore.BEFORE_FIRST);

    Leader(SimulatedJob job, int port) throws InterruptedException {
        connection = TcpStore.builder()
                .name("leader")
                .port(port)
                .secret(null)
                .tls(null)
                .connect();
        enrollment = job.enrollment(RANK, connection);
        store = job.protocol(RANK, connection);
        assignment = job.assignment();
        store.member().watchTerminated(change -> {});
    }

    /** An iteration on this rank, and the outcome that it receives. */
    private static final class Iteration implements Consumer<Change> {
        private final int number;
        private final CompletableFuture<Change> outcome = new CompletableFuture<>();

        Iteration(int number) {
            this.number = number;
        }

        @Override
        public void accept(Change change) {
            outcome.complete(change);
        }
    }

    /** Joins the job, and makes the first assignment; completes when it has its own state. */
    CompletableFuture<Long> join() {
        return enrollment.enroll().thenComposeAsync(identity -> regroup(ask()), thread);
    }

    /**
     * Takes part in the restart that ends the current iteration, as soon as that is interrupted; completes with the
     * {@link System#nanoTime} at which it has its new state.
     */
    CompletableFuture<Long> restart() {
        Iteration ending = current;
        CompletableFuture<Long> placed = ask();
        return ending.outcome.thenComposeAsync(interrupted -> regroup(placed), thread);
    }

    /** Requests its state in the next iteration; completes with the time at which it has that. */
    private CompletableFuture<Long> ask() {
        Iteration ended = previous;
        previous = current.number == RestartStore.BEFORE_FIRST ? null : current;
        current = new Iteration(current.number + 1);
        return store.member()
                .awaitDecision(current.number, SimulatedJob.entryOf(current.number), RANK, ended, current)
                .thenApply((Regrouped regrouped) -> System.nanoTime());
    }

    private CompletionStage<Long> regroup(CompletableFuture<Long> placed) {
        int k = current.number;
        return store.member()
                .arrive(k)
                .thenCompose(arrived -> store.leader().worldBefore(k, SimulatedJob.TIMEOUT))
                .thenComposeAsync(before -> decide(k, before), thread)
                .thenCombine(placed, (decided, moment) -> moment);
    }

    private CompletionStage<?> decide(int k, WorldBefore before) {
        World next = assignment.assign(before.world()).checked();
        return store.leader().decide(k, before, next);
    }

    @Override
    public void close() {
        connection.close();
        thread.shutdownNow();
        try {
            if (!thread.awaitTermination(END_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new IllegalStateException("the leader's thread did not end within " + END_LIMIT);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
