package dev.resiliency.examples.bench.store;

import dev.resiliency.inprocess.spi.refound.KnownWorld;
import dev.resiliency.inprocess.spi.refound.StoreSeat;
import dev.resiliency.store.tcp.internal.wire.Frames;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.IntFunction;

/** All ranks but rank 0: a connection each, which sends what a real rank sends, when it would send it. */
final class SimulatedRanks implements AutoCloseable {
    /** A client acknowledges received frames with its next request, once there are this many. */
    private static final int FRAMES_TOLD_ALONG = 8;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final MeasuredServer target;
    private final RankRequests requests;
    private final Swarm swarm;
    private final int ranks;
    private final int victim;
    private final boolean outlivesItsStore;
    private int iteration;
    private long received; // frames per rank
    private long receivedTold;

    SimulatedRanks(SimulatedJob job, MeasuredServer target) throws IOException {
        this.target = target;
        this.requests = new RankRequests(job);
        this.swarm = new Swarm(target);
        this.ranks = job.ranks() - 1;
        this.victim = job.victim();
        this.outlivesItsStore = job.outlivesItsStore();
        swarm.connect(ranks);
    }

    /** Joins the job; returns when all have their first state, and the leader has. */
    void join(CompletableFuture<Long> leader) throws IOException {
        List<ByteBuffer> joining = requests.joining();
        Step awaitingAdmissionAndState = Step.await(Frames.REPLY).then(Step.await(Frames.REPLY));
        swarm.beginAll(ranks, i -> Step.only(joining.get(i), Frames.REPLY).then(awaitingAdmissionAndState));
        swarm.finish();
        received = 3;
        leader.join();
    }

    /**
     * Runs one restart, from the report of an exception until the last rank may enter its function. Before it, each rank has run long
     * enough to request that state.
     */
    SimulatedSeries.Restart restart(CompletableFuture<Long> leader) throws IOException {
        Step failing = prepare();
        long cpu = target.status().cpuMillis();
        long start = System.nanoTime();
        swarm.begin(swarm.connections().get(victim - 1), failing);
        swarm.finish();
        long last = System.nanoTime();
        iteration++;
        received += outlivesItsStore ? 3 : 2;
        return new SimulatedSeries.Restart(
                Math.max(last, leader.join()) - start, target.status().cpuMillis() - cpu);
    }

    /** Lets all ranks request their next state, and wait for the interruption; returns the step that causes one. */
    private Step prepare() throws IOException {
        List<ByteBuffer> asking = requests.asking(iteration + 1);
        List<ByteBuffer> arriving = requests.arriving(iteration + 1);
        ByteBuffer failure = requests.failing(victim, iteration);
        ByteBuffer notifiedAsking = receivedIfDue(received);
        ByteBuffer notified = receivedIfDue(received + 1); // with the push that comes before

        // On the interruption, a rank stops at once, arrives at the barrier, waits for its next state, and accepts it.
        List<ByteBuffer> agreeing = outlivesItsStore ? requests.agreeing(iteration + 1) : List.of();
        IntFunction<Step> arrival = i -> {
            Step arrives = Step.only(NativeWire.joined(notified, arriving.get(i)), Frames.REPLY);
            return outlivesItsStore ? arrives.then(Step.only(agreeing.get(i), Frames.REPLY)) : arrives;
        };
        swarm.beginAll(ranks, i -> {
            ByteBuffer ask = NativeWire.joined(notifiedAsking, asking.get(i));
            return i == victim - 1
                    ? Step.only(ask)
                    : Step.only(ask, Frames.PUSH).then(arrival.apply(i));
        });
        System.gc(); // a collection in this process would stop all simulated ranks at once
        swarm.settle();
        // The failing rank receives it, too, and an answer to its request.
        return Step.only(failure, Frames.PUSH, Frames.REPLY)
                .then(Step.await(Frames.PUSH, Frames.REPLY).then(arrival.apply(victim - 1)));
    }

    /**
     * Loses the host of the store with it; returns the nanoseconds from then until all others may enter their function, on the
     * store that the leader has founded anew.
     *
     * @param next the leader's server
     */
    long loseHost(MeasuredServer next, Leader leader) throws IOException {
        StoreSeat seat = SimulatedJob.seatOf(0, next.port());
        KnownWorld base = leader.world();
        List<Step> steps = requests.refounding(seat, base);
        swarm.close();
        System.gc();
        long start = System.nanoTime();
        CompletableFuture<Long> led = leader.refound(seat, base);
        try (Swarm voters = new Swarm(next)) {
            voters.connect(steps.size());
            voters.beginAll(steps.size(), steps::get);
            voters.finish();
            long last = System.nanoTime();
            return Math.max(last, led.join()) - start;
        }
    }

    private ByteBuffer receivedIfDue(long now) {
        if (now - receivedTold < FRAMES_TOLD_ALONG) {
            return NOTHING;
        }
        receivedTold = now;
        return NativeWire.frame(Frames.RECEIVED, now, body -> {});
    }

    @Override
    public void close() throws IOException {
        swarm.close();
    }
}
