package dev.resiliency.examples.bench.store;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.internal.protocol.Enrollment;
import dev.resiliency.inprocess.internal.protocol.RestartStore;
import dev.resiliency.store.Change;
import dev.resiliency.store.spi.ForwardingStore;
import dev.resiliency.store.spi.InMemoryStore;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.tcp.internal.wire.Frames;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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

    private final RecordingStore recording = new RecordingStore();
    private final List<Enrollment> enrollments;
    private final List<RestartStore> stores;

    /** For all ranks but rank 0. */
    RankRequests(SimulatedJob job) {
        enrollments = IntStream.range(1, job.ranks())
                .mapToObj(rank -> job.enrollment(rank, recording))
                .toList();
        stores = IntStream.range(1, job.ranks())
                .mapToObj(rank -> job.protocol(rank, recording))
                .toList();
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
        ByteBuffer keep = NativeWire.frame(Frames.KEEP, 0, body -> body.duration(GRACE));
        List<ByteBuffer> asking = asking(0);
        List<ByteBuffer> arriving = arriving(0);
        return IntStream.range(0, stores.size())
                .mapToObj(
                        i -> NativeWire.joined(keep, claiming.get(i), watching.get(i), asking.get(i), arriving.get(i)))
                .toList();
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

    /** Returns what the rank sends whose function throws in iteration {@code k}. */
    ByteBuffer failing(int rank, int k) {
        Interruption fault = new Interruption(
                rank, Interruption.Kind.EXCEPTION, Instant.now(), "java.lang.IllegalStateException: loss is NaN");
        stores.get(rank - 1).member().interrupt(k, List.of(fault));
        return recording.take().get(0);
    }

    /** A store that answers nothing, and records what a client would send for each request. */
    private static final class RecordingStore extends ForwardingStore {
        private static final long ONE_WAY = 0;

        private final NativeWire wire = new NativeWire();
        private final List<ByteBuffer> requests = new ArrayList<>();
        private long latest;

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
            return new CompletableFuture<>();
        }

        @Override
        public void send(List<? extends Operation<?>> operations) {
            requests.add(wire.request(ONE_WAY, operations, timeout()));
        }
    }
}
