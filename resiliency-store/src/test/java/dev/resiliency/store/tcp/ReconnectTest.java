package dev.resiliency.store.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.resiliency.store.Change;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.SessionExpiredException;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreLostException;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Barrier;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.tcp.FaultProxy.End;
import dev.resiliency.store.tcp.internal.server.Server;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Sessions over real sockets that a proxy cuts. */
@Timeout(60)
class ReconnectTest {
    private static final Duration LONG = Duration.ofSeconds(30);

    private TcpStoreServer server;
    private FaultProxy proxy;
    private TcpStore store;
    private TcpStore other;
    private final BlockingQueue<StoreException> losses = new LinkedBlockingQueue<>();

    @BeforeEach
    void connect() throws Exception {
        server = TcpStoreServer.builder().start();
        proxy = new FaultProxy(server.port());
        store = client(proxy.port()).connect();
        other = client(server.port()).connect();
        store.onLost(losses::add);
    }

    private static TcpStore.Builder client(int port) {
        return TcpStore.builder().port(port).connectTimeout(LONG).timeout(LONG);
    }

    @AfterEach
    void close() throws Exception {
        store.close();
        other.close();
        proxy.close();
        server.close();
    }

    @ParameterizedTest
    @EnumSource
    void nothingRunsTwiceHoweverOftenTheConnectionIsCut(End end) throws Exception {
        for (long i = 1; i <= 50; i++) {
            CompletableFuture<List<@Nullable Object>> answer =
                    store.submit(List.of(new Operation.Add("counter", 1)), LONG);
            proxy.cutClients(end);
            assertThat(answer.get()).containsExactly(i);
        }
        assertThat(losses).isEmpty();
    }

    @Test
    void serverThatClosesWhenUnusedAcceptsReturningClientsUntilThen() throws Exception {
        Thread closing = new Thread(() -> server.closeWhenUnused(Duration.ZERO), "closing");
        closing.start();
        await("the thread waits").atMost(LONG).until(() -> closing.getState() == Thread.State.WAITING);
        other.close();

        proxy.cutClients(End.RST);
        store.set("key", Value.of("still there"));
        try (TcpStore late = client(server.port()).connect()) {
            assertThat(late.get("key").text()).isEqualTo("still there");
        }
        assertThat(closing.isAlive()).isTrue();
        assertThat(losses).isEmpty();

        store.close();
        closing.join(LONG.toMillis());
        assertThat(closing.isAlive()).isFalse();
    }

    @Test
    void watchSeesTheLastStateHoweverOftenTheConnectionIsCut() throws Exception {
        BlockingQueue<Change> changes = new LinkedBlockingQueue<>();
        store.watch("counter", changes::add);
        for (long i = 1; i <= 50; i++) {
            other.add("counter", 1);
            proxy.cutClients(End.RST);
            other.add("counter", 1);
        }

        for (long i = 1; i <= 100; i++) {
            assertThat(changes.poll(10, TimeUnit.SECONDS)).isEqualTo(new Change.Written("counter", Value.of(i)));
        }
        assertThat(changes).isEmpty();
    }

    @Test
    void waitAtABarrierOutlivesItsConnection() throws Exception {
        Barrier barrier = Barrier.of("barrier", IndexSet.of(0, 1));
        CompletableFuture<?> arrival = store.submit(List.of(new Operation.Arrive(barrier, IndexSet.of(0), true)), LONG);
        await().until(() -> other.members("barrier").contains(0));
        proxy.cutClients(End.FIN);
        other.barrier(barrier, IndexSet.of(1), LONG);

        arrival.get();
    }

    @Test
    void silentServerIsReconnected() throws Exception {
        try (TcpStore hasty =
                client(proxy.port()).reconnectGrace(Duration.ofSeconds(1)).connect()) {
            hasty.set("key", "text");
            proxy.hold(true);
            CompletableFuture<List<@Nullable Object>> answer =
                    hasty.submit(List.of(new Operation.Add("counter", 1)), LONG);
            // Two intervals later the client dials again, and the first connection stays silent.
            await().until(() ->
                    Objects.requireNonNull(((Server) server).statistics()).connections() > 3);
            proxy.hold(false);

            assertThat(answer.get()).containsExactly(1L);
            assertThat(other.add("counter", 1)).isEqualTo(2);
        }
    }

    @Test
    void delayIsNotALoss() throws Exception {
        proxy.delay(Duration.ofMillis(50));
        assertThat(store.add("counter", 1)).isEqualTo(1);
        assertThat(losses).isEmpty();
    }

    @ParameterizedTest
    @EnumSource
    void connectionThatEndsAtBothEndsEndsTheSessionAtOnce(End end) throws Exception {
        store.lastWill(new Operation.Set("will", Value.empty()));
        CompletableFuture<?> waiting = store.submit(List.of(new Operation.Get("missing")), LONG);
        proxy.cutBoth(end);

        other.get("will", LONG);
        assertThatThrownBy(waiting::get).hasCauseInstanceOf(SessionExpiredException.class);
        assertThat(losses.poll(10, TimeUnit.SECONDS)).isInstanceOf(SessionExpiredException.class);
    }

    @Test
    void leaseThatExpiresDuringADisconnectionEndsTheSession() throws Exception {
        store.lastWill(new Operation.Set("will", Value.empty()));
        store.execute(new Operation.Lease(Duration.ofMillis(200)), LONG);
        proxy.hold(true);
        proxy.cutClients(End.RST);
        other.get("will", LONG);
        proxy.hold(false);

        assertThat(losses.poll(10, TimeUnit.SECONDS)).isInstanceOf(SessionExpiredException.class);
        assertThatThrownBy(() -> store.add("counter", 1)).isInstanceOf(SessionExpiredException.class);
    }

    @Test
    void serverThatIsGoneIsLost() throws Exception {
        proxy.refuse();
        proxy.cutClients(End.RST);

        assertThat(losses.poll(10, TimeUnit.SECONDS)).isInstanceOf(StoreLostException.class);
        assertThatThrownBy(() -> store.add("counter", 1))
                .isInstanceOf(StoreLostException.class)
                .hasMessageMatching(
                        "store at 127.0.0.1:\\d+ was lost: .*; store at 127.0.0.1:\\d+ could not be reached:"
                                + " tried \\d+ times in \\d+.\\d s, last error: Connection refused");
    }

    @Test
    void restartedServerIsLost() throws Exception {
        int port = server.port();
        try (FaultProxy relay = new FaultProxy(port);
                TcpStore early = client(relay.port()).connect()) {
            relay.refuse();
            server.close(); // it announces its end, but not through a proxy that holds everything back
            server = TcpStoreServer.builder().port(port).start();
            assertThatThrownBy(() -> early.add("counter", 1)).isInstanceOf(StoreLostException.class);
        }
    }

    @Test
    void closingWhileUnreachableEnds() throws Exception {
        proxy.hold(true);
        proxy.cutClients(End.RST);

        store.close();

        assertThat(losses).isEmpty();
    }

    @Test
    void interruptEndsAWaitWhileUnreachable() throws Exception {
        proxy.hold(true);
        proxy.cutClients(End.RST);
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                store.get("missing");
            } catch (InterruptedException | RuntimeException e) {
                thrown.complete(e);
            }
        });
        thread.start();
        await().until(() -> thread.getState() == Thread.State.WAITING);
        thread.interrupt();

        assertThat(thrown.get(10, TimeUnit.SECONDS)).isInstanceOf(InterruptedException.class);
        proxy.hold(false);
        assertThat(store.add("counter", 1)).isEqualTo(1);
    }

    @Test
    void threadsThatShareAStoreAllContinue() throws Exception {
        proxy.cutClientsAtRandom(1, Duration.ofMillis(10));
        AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
        List<Thread> threads = IntStream.range(0, 8)
                .mapToObj(i -> new Thread(() -> {
                    try {
                        for (int j = 0; j < 50; j++) {
                            store.add("counter", 1);
                        }
                    } catch (InterruptedException | RuntimeException e) {
                        failure.set(e);
                    }
                }))
                .toList();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(failure.get()).isNull();
        assertThat(other.get("counter").number()).isEqualTo(400);
    }
}
