package dev.resiliency.examples.bench.store;

import dev.resiliency.inprocess.internal.protocol.Enrollment;
import dev.resiliency.inprocess.internal.protocol.Leader.WorldBefore;
import dev.resiliency.inprocess.internal.protocol.Member.Regrouped;
import dev.resiliency.inprocess.internal.protocol.RestartStore;
import dev.resiliency.inprocess.internal.refound.RanksJob;
import dev.resiliency.inprocess.rank.World;
import dev.resiliency.inprocess.spi.refound.Election;
import dev.resiliency.inprocess.spi.refound.KnownWorld;
import dev.resiliency.inprocess.spi.refound.StoreSeat;
import dev.resiliency.inprocess.spi.refound.Vote;
import dev.resiliency.store.Change;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.tcp.TcpStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Rank 0 with a real client of the store: it assigns all ranks. Its steps are those of the restart loop, on another
 * thread.
 */
final class Leader implements AutoCloseable {
    private static final int RANK = 0;

    private final Enrollment enrollment;
    private final SimulatedJob job;
    private SessionStore connection;
    private RestartStore store;
    /** The members of the last iteration that was decided. */
    private IndexSet members;

    private @Nullable Iteration previous;
    private Iteration current = new Iteration(RestartStore.BEFORE_FIRST);

    Leader(SimulatedJob job, int port) throws InterruptedException {
        connection = connect(port);
        enrollment = job.enrollment(RANK, connection);
        store = job.protocol(RANK, connection);
        this.job = job;
        members = IndexSet.range(0, job.ranks());
        store.member().watchTerminated(change -> {});
    }

    private static SessionStore connect(int port) throws InterruptedException {
        return TcpStore.builder()
                .name("leader")
                .port(port)
                .secret(null)
                .tls(null)
                .connect();
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

    /** Returns the world in which the job is, as a voter knows it. */
    KnownWorld world() {
        String text = store.member().world(current.number).join();
        return new KnownWorld(job.term(), current.number, members, text);
    }

    /**
     * Founds the store anew on the server of this seat, its own, once more than half of the others have voted for it, and takes
     * part in the restart there; completes as {@link #restart}.
     */
    CompletableFuture<Long> refound(StoreSeat seat, KnownWorld base) {
        connection.close();
        return CompletableFuture.supplyAsync(() -> {
            RanksJob voter = new RanksJob(store.identity(), SimulatedJob.PREFIX, null);
            Election.Voting voting = new Election.Voting(voter, seat, SimulatedJob.TIMEOUT, SimulatedJob.TIMEOUT);
            Election.Founded founded;
            try {
                founded = Election.hold(
                        voting, successor -> connect(successor.port()), Vote.first(base), List.of(seat), vote -> {});
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
            connection = founded.session();
            store = SimulatedJob.protocol(voter.identity(founded.term()), connection, seat);
            store.member().watchTerminated(change -> {});
            store.member().takeSeat(seat);
            previous = null;
            return regroup(ask());
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
        WorldBefore before =
                store.leader().worldBefore(k, members, SimulatedJob.TIMEOUT).join();
        World next = job.assignment().assign(before.world()).checked();
        store.leader().decide(k, before, next).join();
        members = next.members();
        long then = placed.join();
        if (!job.outlivesItsStore() || k == 0) {
            return then;
        }
        store.member().agree(k, true, SimulatedJob.TIMEOUT).join();
        return System.nanoTime();
    }

    @Override
    public void close() {
        connection.close();
    }
}
