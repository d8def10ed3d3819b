package dev.resiliency.inprocess.internal.monitor;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.resiliency.inprocess.internal.monitor.ReconnectingStore.StoreReplacedException;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreLostException;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.spi.StoreAddress;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Sessions that are lost when the test says so. */
@Timeout(60)
class ReconnectingStoreTest {
    private static final Duration PAUSE = Duration.ofMillis(1);

    private final Queue<Session> next = new ConcurrentLinkedQueue<>();
    private final Queue<String> log = new ConcurrentLinkedQueue<>();
    private final Session first = new Session(1);
    private final ReconnectingStore store;
    private volatile boolean isReplaced;

    ReconnectingStoreTest() throws InterruptedException {
        next.add(first);
        store = ReconnectingStore.connect(this::connect, PAUSE, log::add, () -> {});
    }

    private SessionStore connect() {
        Session session = next.poll();
        if (isReplaced) {
            throw new StoreReplacedException("another run is here:1");
        }
        if (session == null) {
            throw new StoreLostException("here:1", "connection refused", null);
        }
        return session;
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void sessionThatIsLostIsReplacedAsSoonAsTheStoreCanBeReached() {
        first.lose();
        Session second = new Session(2);
        next.add(second);

        await().pollInterval(PAUSE).until(() -> store.session() == 2);

        store.send(List.of());
        assertThat(second.sent).isEqualTo(1);
        assertThat(first.sent).isZero();
        await().pollInterval(PAUSE).until(() -> first.closed);
        await().pollInterval(PAUSE)
                .untilAsserted(() -> assertThat(log)
                        .containsExactly(
                                "its session on the store is lost; it opens another: the server was started anew",
                                "has opened another session on the store"));
    }

    @Test
    void nextSessionMayBeLostAsWell() {
        for (int number = 2; number < 10; number++) {
            Session session = new Session(number);
            session.lose();
            next.add(session);
        }
        next.add(new Session(10));

        first.lose();

        await().pollInterval(PAUSE).until(() -> store.session() == 10);
    }

    @Test
    void storeThatIsClosedConnectsNoMore() throws Exception {
        first.lose();
        store.close();
        Session late = new Session(2);
        next.add(late);

        for (Thread thread : Thread.getAllStackTraces().keySet()) {
            if (thread.getName().equals("resiliency-reconnect")) {
                thread.join();
            }
        }

        assertThat(first.closed).isTrue();
        assertThat(store.session()).isEqualTo(1);
        assertThat(next.isEmpty() ? late.closed : !late.closed)
                .as("a session that came after all was closed")
                .isTrue();
    }

    @Test
    void storeThatIsReplacedByThatOfAnotherRunIsGivenUp() {
        isReplaced = true;
        first.lose();

        await().pollInterval(PAUSE)
                .untilAsserted(
                        () -> assertThat(log).endsWith("another run is here:1: nothing is reported from now on"));
        await().pollInterval(PAUSE)
                .until(() -> Thread.getAllStackTraces().keySet().stream()
                        .noneMatch(thread -> thread.getName().equals("resiliency-reconnect")));
        assertThat(store.session()).isEqualTo(1);
    }

    @Test
    void failureOfTheFirstConnectionReachesTheCaller() {
        assertThatExceptionOfType(StoreLostException.class)
                .isThrownBy(() -> ReconnectingStore.connect(this::connect, PAUSE, log::add, () -> {}));
    }

    private static final class Session implements SessionStore {
        private final long number;
        private final CompletableFuture<StoreException> lost = new CompletableFuture<>();
        private volatile int sent;
        private volatile boolean closed;

        Session(long number) {
            this.number = number;
        }

        void lose() {
            lost.complete(new StoreLostException("here:1", "the server was started anew", null));
        }

        @Override
        @SuppressWarnings("NonAtomicVolatileUpdate") // used by the test's thread only
        public void send(List<? extends Operation<?>> operations) {
            sent++;
        }

        @Override
        @SuppressWarnings("FutureReturnValueIgnored") // as stores do
        public void onLost(Consumer<? super StoreException> listener) {
            lost.thenAccept(listener);
        }

        @Override
        public long session() {
            return number;
        }

        @Override
        public Operation.Renew renewal() {
            return new Operation.Renew(number, Value.empty());
        }

        @Override
        public void abandon() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            closed = true;
        }

        @Override
        public Duration timeout() {
            return Duration.ofSeconds(1);
        }

        @Override
        public @Nullable StoreAddress address() {
            return null;
        }

        @Override
        public CompletableFuture<List<@Nullable Object>> submit(
                List<? extends Operation<?>> operations, Duration timeout) {
            throw new UnsupportedOperationException();
        }
    }
}
