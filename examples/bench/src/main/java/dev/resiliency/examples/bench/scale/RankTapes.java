package dev.resiliency.examples.bench.scale;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.internal.protocol.Enrollment;
import dev.resiliency.inprocess.internal.protocol.Generation;
import dev.resiliency.inprocess.internal.protocol.Identity;
import dev.resiliency.inprocess.internal.protocol.RestartStore;
import dev.resiliency.store.Change;
import dev.resiliency.store.spi.PrefixStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Recorded requests of each rank of a job in a restart: {@link RestartStore} sends for a simulated rank what it sends for a
 * real one, in the order of the restart loop.
 */
@SuppressWarnings("FutureReturnValueIgnored") // requests are only recorded
final class RankTapes implements AutoCloseable {
    /** No address: rank 0 does not host the store. */
    static final String NOT_HOSTED = "";

    static final Duration TIMEOUT = Duration.ofMinutes(2);

    private final Tape tape = new Tape();
    private final List<Enrollment> enrollments = new ArrayList<>();
    private final List<RestartStore> stores = new ArrayList<>();
    private List<@Nullable Outcome> previousOutcomes; // of all ranks
    private List<@Nullable Outcome> outcomes;

    /** For all ranks but rank 0. */
    RankTapes(ScaleJob job) throws IOException, InterruptedException {
        for (int rank = 1; rank < job.ranks(); rank++) {
            PrefixStore store = new PrefixStore(job.prefix(), tape.store());
            stores.add(new RestartStore(store, identityOf(rank, job), job.keysOf(rank)));
            enrollments.add(enrollmentOf(store, rank, job));
        }
        previousOutcomes = Collections.nCopies(stores.size(), null);
        outcomes = previousOutcomes;
    }

    /** Returns the enrollment of a founder, as the wrapper makes it. */
    static Enrollment enrollmentOf(PrefixStore store, int rank, ScaleJob job) {
        return new Enrollment(store, rank, job.ranks(), NOT_HOSTED, 0, TIMEOUT, true, OptionalInt.empty());
    }

    /** Returns the identity of a founder, without the id of its run, which only monitor processes need. */
    static Identity identityOf(int rank, ScaleJob job) {
        return new Identity(rank, job.ranks(), Generation.FIRST, "");
    }

    static State.Entry entryOf(int k) {
        return k == 0 ? State.Entry.FOUNDED : State.Entry.SURVIVED;
    }

    /** A listener per rank and iteration, since listeners are distinguished by identity. */
    private static final class Outcome implements Consumer<Change> {
        @Override
        public void accept(Change change) {
            throw new AssertionError("no request is answered here");
        }
    }

    /** Returns for each rank what it sends to join a job and wait for its first state. */
    List<ByteBuffer> joining() throws InterruptedException {
        enrollments.forEach(Enrollment::enroll);
        List<ByteBuffer> claiming = tape.requests(stores.size());
        for (RestartStore store : stores) {
            store.member().watchTerminated(new Outcome());
        }
        List<ByteBuffer> watching = tape.requests(stores.size());
        ByteBuffer keep = tape.keep();
        List<ByteBuffer> asking = asking(0);
        List<ByteBuffer> arriving = arriving(0);
        return IntStream.range(0, stores.size())
                .mapToObj(i -> joined(keep, claiming.get(i), watching.get(i), asking.get(i), arriving.get(i)))
                .toList();
    }

    /** Returns for each rank what it sends while it runs iteration {@code k - 1}, to receive its next state. */
    List<ByteBuffer> asking(int k) throws InterruptedException {
        List<@Nullable Outcome> next = new ArrayList<>();
        for (int i = 0; i < stores.size(); i++) {
            Outcome outcome = new Outcome();
            stores.get(i)
                    .member()
                    .awaitDecision(k, entryOf(k), stores.get(i).identity().rank(), previousOutcomes.get(i), outcome);
            next.add(outcome);
        }
        previousOutcomes = outcomes;
        outcomes = next;
        return tape.requests(stores.size());
    }

    /** Returns for each rank what it sends when it has stopped in iteration {@code k - 1}. */
    List<ByteBuffer> arriving(int k) throws InterruptedException {
        stores.forEach(store -> store.member().arrive(k));
        return tape.requests(stores.size());
    }

    /** Returns what the rank sends whose function throws in iteration {@code k}. */
    ByteBuffer failing(int rank, int k) throws InterruptedException {
        Interruption fault = new Interruption(
                rank, Interruption.Kind.EXCEPTION, Instant.now(), "java.lang.IllegalStateException: loss is NaN");
        stores.get(rank - 1).member().interrupt(k, List.of(fault));
        return tape.requests(1).get(0);
    }

    static ByteBuffer joined(ByteBuffer... parts) {
        ByteBuffer all = ByteBuffer.allocate(
                List.of(parts).stream().mapToInt(ByteBuffer::remaining).sum());
        for (ByteBuffer part : parts) {
            all.put(part.duplicate());
        }
        return all.flip();
    }

    @Override
    public void close() throws IOException {
        tape.close();
    }
}
