package dev.resiliency.examples.bench.store;

import dev.resiliency.inprocess.internal.protocol.Enrollment;
import dev.resiliency.inprocess.internal.protocol.Leader.WorldBefore;
import dev.resiliency.inprocess.internal.protocol.Member.Regrouped;
import dev.resiliency.inprocess.internal.protocol.RestartStore;
import dev.resiliency.inprocess.rank.World;
import dev.resiliency.store.Change;
import dev.resiliency.store.tcp.TcpStore;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Rank 0 with a real client of the store: it assigns all ranks. Its steps are those of the restart loop, on another
 * thread.
 */
final class Leader implements AutoCloseable {
    private static final int RANK = 0;

    private final TcpStore connection;
    private final Enrollment enrollment;
    private final RestartStore store;
    private final SimulatedJob job;
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
        this.job = job;
        store.member().watchTerminated(change -> {});
    }

    /** An iteration on this rank, and the outcome that it receives. */
    private record Iteration(int number, CompletableFuture<Change> outcome) implements Consumer<Change> {
        Iteration(int number) {
            this(number, new CompletableFuture<>());
        }

        @Override
        public void accept(Change change) {
            outcome.complete(change);
        }
    }

    /** Joins the job, and makes the first assignment; completes when it has its own state. */
    CompletableFuture<Long> join() {
        return CompletableFuture.supplyAsync(() -> {
            enrollment.enroll().toCompletableFuture().join();
            return regroup(ask());
        });
    }

    /**
     * Takes part in the restart that ends the current iteration, as soon as that is interrupted; completes with the
     * {@link System#nanoTime} at which it has its new state.
     */
    CompletableFuture<Long> restart() {
        Iteration ending = current;
        CompletableFuture<Long> placed = ask();
        return CompletableFuture.supplyAsync(() -> {
            ending.outcome.join();
            return regroup(placed);
        });
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

    private long regroup(CompletableFuture<Long> placed) {
        int k = current.number;
        store.member().arrive(k).join();
        WorldBefore before = store.leader().worldBefore(k, SimulatedJob.TIMEOUT).join();
        World next = job.assignment().assign(before.world()).checked();
        store.leader().decide(k, before, next).join();
        return placed.join();
    }

    @Override
    public void close() {
        connection.close();
    }
}
