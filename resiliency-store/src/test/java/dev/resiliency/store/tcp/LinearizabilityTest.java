package dev.resiliency.store.tcp;

import static dev.resiliency.store.tcp.Linearizability.NEVER;
import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.store.StoreException;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.tcp.FaultProxy.End;
import dev.resiliency.store.tcp.Linearizability.Action;
import dev.resiliency.store.tcp.Linearizability.Add;
import dev.resiliency.store.tcp.Linearizability.AddUnheard;
import dev.resiliency.store.tcp.Linearizability.Call;
import dev.resiliency.store.tcp.Linearizability.CompareAndSet;
import dev.resiliency.store.tcp.Linearizability.CompareAndSetUnheard;
import dev.resiliency.store.tcp.Linearizability.Read;
import dev.resiliency.store.tcp.Linearizability.Write;
import dev.resiliency.store.tcp.internal.client.Client;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Checks that clients see a linearizable store while their connections are cut; tests the checker as well. */
class LinearizabilityTest {
    private static final int CLIENTS = 8;
    private static final int CALLS = 6;
    private static final List<String> KEYS = List.of("a", "b");
    private static final Duration LIMIT = Duration.ofSeconds(30);
    /** The number of histories to record. */
    private static final int HISTORIES = Integer.getInteger("resiliency.histories", 16);

    private static final long SEED = Long.getLong("resiliency.seed", 20261120);

    // --- the checker

    private static Call call(Action action, long start, long end) {
        return new Call(action, start, end);
    }

    private static boolean holds(Call... calls) {
        return Linearizability.holds(List.of(calls), "0");
    }

    @Test
    void sequentialCallsAreLinearizableIfEachSeesTheOneBefore() {
        assertThat(holds(
                        call(new Write("5"), 0, 1),
                        call(new Read("5"), 2, 3),
                        call(new Add(2, 7), 4, 5),
                        call(new CompareAndSet("7", "1", "1"), 6, 7),
                        call(new CompareAndSet("7", "2", "1"), 8, 9),
                        call(new Read("1"), 10, 11)))
                .isTrue();
    }

    @Test
    void concurrentCallsAreLinearizableInAnyValidOrder() {
        assertThat(holds(call(new Write("1"), 0, 10), call(new Write("2"), 0, 10), call(new Read("1"), 11, 12)))
                .isTrue();
        assertThat(holds(call(new Add(1, 2), 0, 10), call(new Add(1, 1), 0, 10), call(new Read("0"), 0, 10)))
                .isTrue();
    }

    @Test
    void unansweredCallMayOrMayNotHaveHappened() {
        assertThat(holds(call(new Write("1"), 0, NEVER), call(new Read("0"), 5, 6)))
                .isTrue();
        assertThat(holds(call(new Write("1"), 0, NEVER), call(new Read("1"), 5, 6)))
                .isTrue();
        assertThat(holds(call(new Write("1"), 0, NEVER), call(new Read("1"), 5, 6), call(new Read("0"), 7, 8)))
                .isFalse();
        assertThat(holds(call(new Write("1"), 5, NEVER), call(new Read("1"), 0, 4)))
                .isFalse();
    }

    @Test
    void staleReadIsNotLinearizable() {
        assertThat(holds(call(new Write("1"), 0, 1), call(new Read("0"), 2, 3))).isFalse();
    }

    @Test
    void readThatGoesBackInTimeIsNotLinearizable() {
        assertThat(holds(call(new Write("1"), 0, 10), call(new Read("1"), 1, 2), call(new Read("0"), 3, 4)))
                .isFalse();
    }

    @Test
    void addThatRunsTwiceIsNotLinearizable() {
        assertThat(holds(call(new Add(1, 1), 0, 1), call(new Read("2"), 2, 3))).isFalse();
        assertThat(holds(call(new Add(1, 1), 0, 10), call(new Add(1, 3), 0, 10)))
                .isFalse();
    }

    @Test
    void lostUpdateIsNotLinearizable() {
        assertThat(holds(call(new Add(1, 1), 0, 10), call(new Add(1, 1), 0, 10)))
                .isFalse();
    }

    @Test
    void twoWinnersOfACompareAndSetAreNotLinearizable() {
        assertThat(holds(
                        call(new CompareAndSet("0", "1", "1"), 0, 10),
                        call(new CompareAndSet("0", "2", "2"), 0, 10),
                        call(new Read("2"), 11, 12)))
                .isFalse();
    }

    // --- the store

    @Test
    @Timeout(600)
    void reconnectingClientsSeeALinearizableStore() throws Exception {
        try (TcpStoreServer server = TcpStoreServer.builder().start();
                FaultProxy proxy = new FaultProxy(server.port())) {
            proxy.cutClientsAtRandom(SEED, Duration.ofMillis(25));
            record(server, proxy, HISTORIES, () -> {});
        }
    }

    @Test
    @Timeout(600)
    void clientsThatLoseTheirSessionsSeeALinearizableStore() throws Exception {
        try (TcpStoreServer server = TcpStoreServer.builder().start();
                FaultProxy proxy = new FaultProxy(server.port())) {
            record(server, proxy, HISTORIES / 4, () -> proxy.cutBoth(End.RST));
        }
    }

    /** Records histories, each with new keys, and checks them; the fault occurs once, in the middle of each. */
    private static void record(TcpStoreServer server, FaultProxy proxy, int histories, Runnable fault)
            throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(CLIENTS);
        List<Client> clients = new ArrayList<>();
        // No fault reaches it: a client's session may have ended after its last call.
        try (TcpStore outside = TcpStore.builder().port(server.port()).connect()) {
            for (int i = 0; i < CLIENTS; i++) {
                clients.add(new Client(proxy.port(), SEED + i));
            }
            for (int history = 0; history < histories; history++) {
                String prefix = history + "/";
                for (String key : KEYS) {
                    outside.set(prefix + key, "0");
                }
                List<Future<?>> running = new ArrayList<>();
                for (Client client : clients) {
                    running.add(threads.submit(() -> client.run(prefix)));
                }
                fault.run();
                for (Future<?> run : running) {
                    run.get();
                }
                for (String key : KEYS) {
                    List<Call> calls = clients.stream()
                            .flatMap(client -> client.take(prefix + key).stream())
                            .toList();
                    assertThat(Linearizability.holds(calls, "0"))
                            .as("history %d of seed %d, key %s: %s", history, SEED, key, calls)
                            .isTrue();
                }
            }
        } finally {
            threads.shutdownNow();
            clients.forEach(client -> client.store().close());
        }
    }

    /** Makes random calls and records their results. One thread at a time uses it. */
    private static final class Client {
        private static final Action NOTHING = new AddUnheard(0);

        private final int port;
        private final Random random;
        private final Queue<Recorded> recorded = new ConcurrentLinkedQueue<>();
        private SessionStore store;

        private record Recorded(String key, Call call) {}

        /** Makes a call, and returns it with its result. */
        private interface Made {
            Action make() throws InterruptedException;
        }

        Client(int port, long seed) throws InterruptedException {
            this.port = port;
            this.random = new Random(seed);
            this.store = connect();
        }

        private SessionStore connect() throws InterruptedException {
            return TcpStore.builder()
                    .port(port)
                    .connectTimeout(LIMIT)
                    .timeout(LIMIT)
                    .connect();
        }

        SessionStore store() {
            return store;
        }

        List<Call> take(String key) {
            return recorded.stream()
                    .filter(call -> call.key().equals(key))
                    .map(Recorded::call)
                    .toList();
        }

        @Nullable
        Void run(String prefix) throws InterruptedException {
            recorded.clear();
            for (int i = 0; i < CALLS; i++) {
                callOnce(prefix + KEYS.get(random.nextInt(KEYS.size())));
            }
            return null;
        }

        private void callOnce(String key) throws InterruptedException {
            String number = Integer.toString(random.nextInt(5));
            String desired = Integer.toString(random.nextInt(5));
            switch (random.nextInt(4)) {
                case 0 ->
                    record(key, new Write(number), () -> {
                        store.set(key, number);
                        return new Write(number);
                    });
                case 1 -> record(key, NOTHING, () -> new Read(store.get(key).text()));
                case 2 -> record(key, new AddUnheard(1), () -> new Add(1, store.add(key, 1)));
                default ->
                    record(
                            key,
                            new CompareAndSetUnheard(number, desired),
                            () -> new CompareAndSet(
                                    number,
                                    desired,
                                    store.compareAndSet(key, Value.of(number), Value.of(desired))
                                            .text()));
            }
        }

        private void record(String key, Action unanswered, Made call) throws InterruptedException {
            long start = System.nanoTime();
            try {
                Action made = call.make();
                recorded.add(new Recorded(key, new Call(made, start, System.nanoTime())));
            } catch (StoreException lost) {
                recorded.add(new Recorded(key, new Call(unanswered, start, NEVER)));
                store.close();
                store = connect();
            }
        }
    }
}
