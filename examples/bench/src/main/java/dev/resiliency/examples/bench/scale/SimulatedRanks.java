package dev.resiliency.examples.bench.scale;

import dev.resiliency.examples.bench.store.Answer;
import dev.resiliency.examples.bench.store.Step;
import dev.resiliency.examples.bench.store.Swarm;
import dev.resiliency.examples.bench.store.Target;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** All ranks but rank 0: a connection each, on which goes what a real rank sends, when it would send it. */
final class SimulatedRanks implements AutoCloseable {
    // As the Javadoc of Frames in the store draws them.
    private static final int TYPE_AT = Integer.BYTES;
    private static final int RECEIVED = 8;
    private static final int REPLY = 18;
    private static final int PUSH = 20;
    private static final int HEADER_BYTES = 9;

    /** A client tells the server what it has received with the next request, once it is so much. */
    private static final int FRAMES_TOLD_ALONG = 8;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    private static final Answer REPLIED = frame(REPLY);
    private static final Answer TOLD = frame(PUSH);
    private static final Answer TOLD_OR_REPLIED = frame(PUSH, REPLY);

    private final Target target;
    private final RankTapes tapes;
    private final Swarm swarm;
    private final int ranks;
    private final int victim;
    private int iteration;
    private long received; // frames, by each rank
    private long receivedTold;
    private Traffic traffic = new Traffic();

    SimulatedRanks(ScaleJob job, Target target) throws IOException, InterruptedException {
        this.target = target;
        this.tapes = new RankTapes(job);
        this.swarm = new Swarm(target);
        this.ranks = job.ranks() - 1;
        this.victim = job.victim();
        swarm.connect(ranks);
    }

    /** What went over all connections in a restart. */
    private static final class Traffic {
        private long messages;
        private long bytes;
        private long lastTold;

        void add(int count, long size) {
            messages += count;
            bytes += size;
        }
    }

    /** Joins the job; returns when all have their first state. */
    void join(CompletableFuture<Leader.Times> leader) throws IOException, InterruptedException {
        List<ByteBuffer> joining = tapes.joining();
        Step awaitingState = Step.only(NOTHING, REPLIED);
        swarm.beginAll(ranks, i -> Step.only(joining.get(i), REPLIED).then(awaitingState));
        swarm.finish();
        leader.join();
        received = 2;
    }

    /**
     * One restart after an exception, from the moment at which it is told to the last rank's new state. Before it, each
     * rank has run long enough to ask for that state.
     */
    ScaleSample restart(CompletableFuture<Leader.Times> leader) throws IOException, InterruptedException {
        traffic = new Traffic();
        List<ByteBuffer> asking = tapes.asking(iteration + 1);
        List<ByteBuffer> arriving = tapes.arriving(iteration + 1);
        ByteBuffer failure = tapes.failing(victim, iteration);
        ByteBuffer toldAsking = receivedIfDue(received);
        ByteBuffer toldArriving = receivedIfDue(received + 1); // with the push that comes before
        swarm.beginAll(ranks, i -> {
            ByteBuffer ask = sent(toldAsking, asking.get(i));
            return i == victim - 1 ? Step.only(ask, Answer.NONE) : awaiting(ask, toldArriving, arriving.get(i));
        });
        System.gc(); // for this process, unlike the ranks that it plays, would stop them all at once
        swarm.settle();
        long cpu = target.cpuMillis();
        long start = System.nanoTime();
        traffic.add(1, failure.remaining());
        swarm.begin(swarm.connections().get(victim - 1), failing(failure, toldArriving, arriving.get(victim - 1)));
        swarm.finish();
        long last = System.nanoTime();
        Leader.Times times = leader.join();
        iteration++;
        received += 2;
        return new ScaleSample(
                Math.max(last, times.placed()) - start,
                traffic.lastTold - start,
                times.allStopped() - start,
                times.assigned() - start,
                target.cpuMillis() - cpu,
                (double) traffic.messages / ranks,
                (double) traffic.bytes / ranks);
    }

    /** Told of the interruption, the rank stops in no time, arrives at the barrier, and waits for its next state. */
    private Step awaiting(ByteBuffer ask, ByteBuffer told, ByteBuffer arriving) {
        return new Step(ask, TOLD, bytes -> {
            traffic.lastTold = System.nanoTime();
            return arrive(sent(told, arriving), bytes);
        });
    }

    /** The one that fails is told as well, and gets an answer to its claim. */
    private Step failing(ByteBuffer failure, ByteBuffer told, ByteBuffer arriving) {
        return new Step(
                failure,
                TOLD_OR_REPLIED,
                first -> new Step(NOTHING, TOLD_OR_REPLIED, second -> {
                    traffic.add(1, second);
                    return arrive(sent(told, arriving), first);
                }));
    }

    private Step arrive(ByteBuffer arrival, long bytesBefore) {
        traffic.add(1, bytesBefore);
        return new Step(arrival, REPLIED, bytes -> {
            traffic.add(1, bytes);
            return null;
        });
    }

    /** What goes out together, counted. */
    private ByteBuffer sent(ByteBuffer told, ByteBuffer request) {
        ByteBuffer sent = RankTapes.joined(told, request);
        traffic.add(frames(sent), sent.remaining());
        return sent;
    }

    private static int frames(ByteBuffer frames) {
        int count = 0;
        for (int at = 0; at < frames.remaining(); at += Integer.BYTES + frames.getInt(at)) {
            count++;
        }
        return count;
    }

    private ByteBuffer receivedIfDue(long now) {
        if (now - receivedTold < FRAMES_TOLD_ALONG) {
            return NOTHING;
        }
        receivedTold = now;
        return ByteBuffer.allocate(Integer.BYTES + HEADER_BYTES)
                .putInt(HEADER_BYTES)
                .put((byte) RECEIVED)
                .putLong(now)
                .flip();
    }

    /** A frame of one of these types; its value is how many bytes it has. */
    private static Answer frame(Integer... types) {
        Set<Integer> expected = Set.of(types);
        return new Answer(
                TYPE_AT + 1,
                head -> {
                    int type = head.get(TYPE_AT);
                    if (!expected.contains(type)) {
                        throw new IllegalStateException(
                                "the server has sent a frame of type %d where one of %s should come"
                                        .formatted(type, expected));
                    }
                    return head.getInt(0) - 1L;
                },
                head -> head.getInt(0) + (long) Integer.BYTES);
    }

    @Override
    public void close() throws IOException {
        tapes.close();
        swarm.close();
    }
}
