package dev.resiliency.examples.bench.store;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.internal.cycle.Clock;
import dev.resiliency.inprocess.internal.cycle.Waker;
import dev.resiliency.inprocess.internal.protocol.Enrollment;
import dev.resiliency.inprocess.internal.protocol.RestartStore;
import dev.resiliency.inprocess.internal.refound.RanksJob;
import dev.resiliency.inprocess.spi.refound.Election;
import dev.resiliency.inprocess.spi.refound.KnownWorld;
import dev.resiliency.inprocess.spi.refound.StoreSeat;
import dev.resiliency.inprocess.spi.refound.Term;
import dev.resiliency.inprocess.spi.refound.Vote;
import dev.resiliency.store.Change;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.ForwardingStore;
import dev.resiliency.store.spi.InMemoryStore;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.tcp.internal.wire.Frames;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The requests of each rank of a job in a restart: {@link RestartStore} sends for a simulated rank what it sends for a real
 * one, in the order of the restart loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // requests are only recorded
final class RankRequests {
    /** For how long a client may be without a connection. */
    private static final Duration GRACE = Duration.ofSeconds(30);

    private static final ByteBuffer KEEP = NativeWire.frame(Frames.KEEP, 0, body -> body.duration(GRACE));

    private final RecordingStore recording = new RecordingStore();
    private final List<Enrollment> enrollments;
    private final List<RestartStore> stores;
    private final boolean outlivesItsStore;

    /** For all ranks but rank 0. */
    RankRequests(SimulatedJob job) {
        enrollments = IntStream.range(1, job.ranks())
                .mapToObj(rank -> job.enrollment(rank, recording))
                .toList();
        stores = IntStream.range(1, job.ranks())
                .mapToObj(rank -> job.protocol(rank, recording))
                .toList();
        outlivesItsStore = job.outlivesItsStore();
    }

    /** The listener of a rank in an iteration. */
    private record Outcome(int rank, int iteration) implements Consumer<Change> {
        @Override
        public void accept(Change change) {
            throw new AssertionError("no request is answered here");
        }
    }

    /** Returns for each rank what it sends to join a job and wait for its first state. */
    List<ByteBuffer> joining() {
        enrollments.forEach(Enrollment::enroll);
        List<ByteBuffer> claiming = recording.take();
        for (RestartStore store : stores) {
            store.member().watchTerminated(new Outcome(store.identity().rank(), RestartStore.BEFORE_FIRST));
        }
        List<ByteBuffer> watching = recording.take();
        List<ByteBuffer> asking = asking(0);
        List<ByteBuffer> arriving = arriving(0);
        List<ByteBuffer> seats = takingSeats();
        return IntStream.range(0, stores.size())
                .mapToObj(i -> NativeWire.joined(
                        KEEP, claiming.get(i), watching.get(i), asking.get(i), arriving.get(i), seats.get(i)))
                .toList();
    }

    /** If the store can be founded anew: where each rank would host it. */
    private List<ByteBuffer> takingSeats() {
        if (!outlivesItsStore) {
            return Collections.nCopies(stores.size(), ByteBuffer.allocate(0));
        }
        for (RestartStore store : stores) {
            store.member().takeSeat(SimulatedJob.seatOf(store.identity().rank(), 1));
        }
        return recording.take();
    }

    /** Returns for each rank what it sends while it runs iteration {@code k - 1}, to receive its next state. */
    List<ByteBuffer> asking(int k) {
        for (RestartStore store : stores) {
            int rank = store.identity().rank();
            Outcome ended = k < 2 ? null : new Outcome(rank, k - 2);
            store.member().awaitDecision(k, SimulatedJob.entryOf(k), rank, ended, new Outcome(rank, k));
        }
        return recording.take();
    }

    /** Returns for each rank what it sends when it has stopped in iteration {@code k - 1}. */
    List<ByteBuffer> arriving(int k) {
        stores.forEach(store -> store.member().arrive(k));
        return recording.take();
    }

    /** Returns for each rank what it sends when it has its state in iteration {@code k}. */
    List<ByteBuffer> agreeing(int k) {
        stores.forEach(store -> store.member().agree(k, true, SimulatedJob.TIMEOUT));
        return recording.take();
    }

    /**
     * Returns for each rank but the last, whose store is lost, what it sends until it is in the iteration after: to elect the
     * leader, to go on with its store, and to restart there.
     *
     * @param seat where the leader founds the store
     * @param base the world in which the job is
     */
    List<Step> refounding(StoreSeat seat, KnownWorld base) {
        return stores.subList(0, stores.size() - 1).stream()
                .map(store -> refounding(store, seat, base))
                .toList();
    }

    private Step refounding(RestartStore before, StoreSeat seat, KnownWorld base) {
        int rank = before.identity().rank();
        Term term = new Term(base.term().number() + 1, seat.rank());
        RanksJob voter = new RanksJob(before.identity(), SimulatedJob.PREFIX, null);
        Election election = new Election(
                new Election.Voting(voter, null, SimulatedJob.TIMEOUT, SimulatedJob.TIMEOUT),
                successor -> recording,
                Clock.SYSTEM,
                new Waker(),
                Vote.first(base.withText("")),
                List.of(seat),
                vote -> {});
        Step asks = Step.only(NativeWire.joined(KEEP, next(election)), Frames.REPLY);
        recording.answer(Value.of(term.toString()));
        Step votes = Step.only(next(election), Frames.REPLY);
        recording.answer(Value.of(base.withText("").write() + " false"));
        Step follows = Step.only(next(election), Frames.REPLY);

        RestartStore there = SimulatedJob.protocol(voter.identity(term), recording, seat);
        int k = base.iteration() + 1;
        there.member().watchTerminated(new Outcome(rank, base.iteration()));
        there.member().takeSeat(SimulatedJob.seatOf(rank, 1));
        there.member().awaitDecision(k, State.Entry.SURVIVED, rank, null, new Outcome(rank, k));
        there.member().arrive(k);
        Step returns = Step.only(NativeWire.joined(recording.take().toArray(ByteBuffer[]::new)), Frames.PUSH);
        there.member().agree(k, true, SimulatedJob.TIMEOUT);
        Step agrees = Step.only(recording.take().get(0), Frames.REPLY);
        return asks.then(
                votes.then(follows.then(returns.then(Step.await(Frames.REPLY).then(agrees)))));
    }

    private ByteBuffer next(Election election) {
        try {
            election.step();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        return recording.take().get(0);
    }

    /** Returns what the rank sends whose function throws in iteration {@code k}. */
    ByteBuffer failing(int rank, int k) {
        Interruption fault = new Interruption(
                rank, Interruption.Kind.EXCEPTION, Instant.now(), "java.lang.IllegalStateException: loss is NaN");
        stores.get(rank - 1).member().interrupt(k, List.of(fault));
        return recording.take().get(0);
    }

    /** A store that records what a client would send for each request, and answers on order. */
    private static final class RecordingStore extends ForwardingStore {
        private static final long ONE_WAY = 0;

        private final NativeWire wire = new NativeWire();
        private final List<ByteBuffer> requests = new ArrayList<>();
        private long latest;
        /** The answer to the latest request. */
        private CompletableFuture<List<@Nullable Object>> answer = new CompletableFuture<>();
        /** How many operations it has. */
        private int asked;

        RecordingStore() {
            super(InMemoryStore.create());
        }

        /** Returns what was recorded since the last call. */
        List<ByteBuffer> take() {
            List<ByteBuffer> taken = List.copyOf(requests);
            requests.clear();
            return taken;
        }

        @Override
        public CompletableFuture<List<@Nullable Object>> submit(
                List<? extends Operation<?>> operations, Duration timeout) {
            requests.add(wire.request(++latest, operations, timeout));
            answer = new CompletableFuture<>();
            asked = operations.size();
            return answer;
        }

        /** Answers the last operation of the latest request. */
        void answer(Value last) {
            List<@Nullable Object> results = new ArrayList<>(Collections.nCopies(asked, null));
            results.set(asked - 1, last);
            answer.complete(results);
        }

        @Override
        public void send(List<? extends Operation<?>> operations) {
            requests.add(wire.request(ONE_WAY, operations, timeout()));
        }
    }
}
