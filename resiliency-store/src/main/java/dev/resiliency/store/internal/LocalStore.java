package dev.resiliency.store.internal;

import dev.resiliency.store.Change;
import dev.resiliency.store.SessionExpiredException;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreLostException;
import dev.resiliency.store.spi.InMemoryStore;
import dev.resiliency.store.spi.Operation;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A session on a {@link LocalKeyspace}: the futures of its requests, and its listeners. */
public final class LocalStore implements InMemoryStore {
    private static final String ADDRESS = "memory";

    private final LocalKeyspace keyspace;
    private final Duration timeout;
    private final Mailbox mailbox = new Mailbox();
    private final SessionEnd loss = new SessionEnd();
    private final KeyspaceSession session;
    // The keyspace's lock guards these two.
    private final Map<Long, CompletableFuture<List<@Nullable Object>>> pending = new HashMap<>();
    private long lastRequest = KeyspaceSession.ONE_WAY;

    private LocalStore(LocalKeyspace keyspace, Duration timeout) {
        this.keyspace = keyspace;
        this.timeout = timeout;
        this.session = keyspace.open(new Deliveries());
    }

    /** Returns a new, empty store whose calls wait for at most {@code timeout}. */
    public static InMemoryStore create(Duration timeout) {
        return new LocalStore(new LocalKeyspace(), timeout);
    }

    @Override
    public InMemoryStore newSession() {
        return new LocalStore(keyspace, timeout);
    }

    @Override
    public Duration timeout() {
        return timeout;
    }

    @Override
    public long session() {
        return session.id();
    }

    @Override
    public Operation.Renew renewal() {
        return new Operation.Renew(session.id(), session.token());
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the last stage only passes a cancellation on
    public CompletableFuture<List<@Nullable Object>> submit(List<? extends Operation<?>> operations, Duration timeout) {
        Answer answer = new Answer(mailbox::isDrainedByThisThread);
        keyspace.step(() -> {
            Supplier<? extends StoreException> lost = loss.reason();
            if (lost != null) {
                answer.completeExceptionally(lost.get());
                return;
            }
            long request = ++lastRequest;
            pending.put(request, answer);
            answer.whenComplete((results, failure) -> {
                if (answer.isCancelled()) {
                    keyspace.step(() -> cancel(request));
                }
            });
            session.submit(request, List.copyOf(operations), timeout);
        });
        return answer;
    }

    private void cancel(long request) {
        pending.remove(request);
        session.cancel(request);
    }

    @Override
    public void send(List<? extends Operation<?>> operations) {
        keyspace.step(() -> session.submit(KeyspaceSession.ONE_WAY, List.copyOf(operations), Duration.ZERO));
    }

    @Override
    public void onLost(Consumer<? super StoreException> listener) {
        loss.listen(listener);
    }

    @Override
    public void close() {
        Supplier<StoreException> reason = () -> new StoreLostException(ADDRESS, "the store was closed", null);
        keyspace.step(() -> {
            if (loss.goodbye(reason)) {
                session.close();
                end(reason);
            }
        });
    }

    @Override
    public void abandon() {
        keyspace.step(() -> {
            session.abandon();
            lose(() -> new StoreLostException(ADDRESS, "the session was abandoned", null));
        });
    }

    private void lose(Supplier<? extends StoreException> reason) {
        if (loss.lost(reason)) {
            end(reason);
            post(loss::tell);
        }
    }

    private void end(Supplier<? extends StoreException> reason) {
        pending.values().forEach(answer -> post(() -> answer.completeExceptionally(reason.get())));
        pending.clear();
        keyspace.ended();
    }

    @Override
    public String toString() {
        return "InMemoryStore";
    }

    private void post(Runnable delivery) {
        keyspace.post(mailbox, delivery);
    }

    /** Puts the output of the keyspace into the mailbox. Called under the keyspace's lock. */
    private final class Deliveries implements SessionOutput {
        @Override
        public void reply(long request, List<@Nullable Object> results) {
            CompletableFuture<List<@Nullable Object>> answer = Objects.requireNonNull(pending.remove(request));
            post(() -> answer.complete(results));
        }

        @Override
        public void fail(long request, StoreException failure) {
            CompletableFuture<List<@Nullable Object>> answer = Objects.requireNonNull(pending.remove(request));
            post(() -> answer.completeExceptionally(failure));
        }

        @Override
        public void tell(Consumer<? super Change> listener, Change change) {
            post(() -> Listeners.tell(listener, change));
        }

        @Override
        public void probe() {
            // A lease in memory depends on requests and renewals alone.
        }

        @Override
        public void expired(SessionExpiredException reason) {
            String message = Objects.requireNonNull(reason.getMessage());
            lose(() -> new SessionExpiredException(message));
        }
    }
}
