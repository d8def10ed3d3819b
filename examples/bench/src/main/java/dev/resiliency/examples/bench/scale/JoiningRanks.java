package dev.resiliency.examples.bench.scale;

import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.internal.protocol.Identity;
import dev.resiliency.inprocess.internal.protocol.Joiner.Admitted;
import dev.resiliency.inprocess.internal.protocol.Member.Regrouped;
import dev.resiliency.inprocess.internal.protocol.RestartStore;
import dev.resiliency.store.Change;
import dev.resiliency.store.spi.PrefixStore;
import dev.resiliency.store.tcp.TcpStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;

/** Processes that come to a running job, each with a real client of the store: they do what {@code Joining} does. */
final class JoiningRanks implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofMinutes(2);

    private final List<TcpStore> connections = new ArrayList<>();
    private final List<RestartStore> stores = new ArrayList<>();
    private final List<CompletableFuture<Admission>> admissions = new ArrayList<>();

    /**
     * The admission of one of them.
     *
     * @param iteration its first iteration
     * @param placedAt when it had its state
     */
    private record Admission(int iteration, long placedAt) {}

    /** A listener for each, since listeners are distinguished by identity. */
    private static final class Ignored implements Consumer<Change> {
        @Override
        public void accept(Change change) {}
    }

    /** Connects them, and draws their numbers. */
    JoiningRanks(ScaleJob job, int count, int port) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            TcpStore connection = TcpStore.builder()
                    .name("joiner-" + i)
                    .port(port)
                    .secret(null)
                    .tls(null)
                    .connect();
            connections.add(connection);
            PrefixStore store = new PrefixStore(job.prefix(), connection);
            Identity identity = enroll(store, i % job.ranks(), job);
            stores.add(new RestartStore(store, identity, job.keysOf(identity.rank())));
        }
    }

    private static Identity enroll(PrefixStore store, int rank, ScaleJob job) throws InterruptedException {
        try {
            return RankTapes.enrollmentOf(store, rank, job)
                    .enroll()
                    .get(LIMIT.toMillis(), TimeUnit.MILLISECONDS)
                    .orElseThrow();
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("a process that comes could not enroll", e);
        }
    }

    /** Announces all of them at once. */
    @SuppressWarnings("FutureReturnValueIgnored") // if the store refuses the announcement, there is no admission
    void announce() {
        for (RestartStore store : stores) {
            store.member().watchTerminated(new Ignored());
            admissions.add(store.joiner().awaitAdmission().thenCompose(admitted -> enter(store, admitted)));
            store.joiner().announce(() -> {}, () -> {}, true);
        }
    }

    private static CompletableFuture<Admission> enter(RestartStore store, Admitted admitted) {
        return store.member()
                .awaitDecision(admitted.iteration(), State.Entry.JOINED, admitted.position(), null, new Ignored())
                .thenApply((Regrouped regrouped) -> new Admission(admitted.iteration(), System.nanoTime()));
    }

    /**
     * Waits until all are admitted; returns when the last of them had its state.
     *
     * @throws IllegalStateException if one is not admitted, or not to this iteration
     */
    long awaitAll(int iteration) throws InterruptedException {
        long last = Long.MIN_VALUE;
        for (CompletableFuture<Admission> each : admissions) {
            try {
                Admission admission = each.get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
                if (admission.iteration() != iteration) {
                    throw new IllegalStateException("a process that came was admitted to iteration %d instead of %d"
                            .formatted(admission.iteration(), iteration));
                }
                last = Math.max(last, admission.placedAt());
            } catch (ExecutionException | TimeoutException e) {
                throw new IllegalStateException("a process that came was not admitted", e);
            }
        }
        return last;
    }

    @Override
    public void close() {
        connections.forEach(TcpStore::close);
    }
}
