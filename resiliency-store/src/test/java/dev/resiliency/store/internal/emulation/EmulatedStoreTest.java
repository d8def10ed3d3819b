package dev.resiliency.store.internal.emulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.resiliency.store.BarrierTimeoutException;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreLostException;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Barrier;
import dev.resiliency.store.spi.EmulatedStore;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.PlainStore;
import dev.resiliency.store.spi.PrefixStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class EmulatedStoreTest {
    private static final Duration LONG = Duration.ofSeconds(20);

    private final Map<String, Value> values = InMemoryPlainStore.newValues();
    private final List<EmulatedStore> stores = new ArrayList<>();

    private EmulatedStore open() {
        return open(new InMemoryPlainStore(values));
    }

    private EmulatedStore open(PlainStore plain) {
        EmulatedStore store = EmulatedStore.builder().build(plain);
        stores.add(store);
        return store;
    }

    @AfterEach
    void close() {
        stores.forEach(EmulatedStore::close);
    }

    @Nested
    class AsAStore extends EmulatedStoreContract {
        @Override
        protected Session open() {
            InMemoryPlainStore plain = new InMemoryPlainStore(values);
            EmulatedStore store = EmulatedStore.builder().build(plain);
            return new Session(store, store::close, plain::cut);
        }
    }

    @Nested
    class UnderAPrefix extends EmulatedStoreContract {
        @Override
        protected Session open() {
            InMemoryPlainStore plain = new InMemoryPlainStore(values);
            EmulatedStore store = EmulatedStore.builder().build(plain);
            return new Session(new PrefixStore("prefix", store), store::close, plain::cut);
        }
    }

    @Test
    void concurrentArrivalsCompleteABarrierOnce() throws Exception {
        int ranks = 8;
        List<EmulatedStore> ofRanks =
                IntStream.range(0, ranks).mapToObj(rank -> open()).toList();
        for (int round = 0; round < 20; round++) {
            Barrier barrier = Barrier.of("barrier/" + round, IndexSet.range(0, ranks))
                    .whenComplete(new Operation.Add("completions/" + round, 1));
            CountDownLatch start = new CountDownLatch(1);
            List<CompletableFuture<Void>> passed = new ArrayList<>();
            for (int rank = 0; rank < ranks; rank++) {
                EmulatedStore store = ofRanks.get(rank);
                IndexSet self = IndexSet.of(rank);
                passed.add(CompletableFuture.runAsync(
                        () -> {
                            try {
                                start.await();
                                store.barrier(barrier, self, LONG);
                            } catch (InterruptedException interrupted) {
                                throw new IllegalStateException(interrupted);
                            }
                        },
                        task -> new Thread(task).start()));
            }
            start.countDown();
            CompletableFuture.allOf(passed.toArray(CompletableFuture[]::new)).get();

            assertThat(ofRanks.get(0).get("completions/" + round).number()).isEqualTo(1);
        }
    }

    @Test
    void clientThatLosesTheCompletionRunsNothing() throws Exception {
        Barrier barrier =
                Barrier.of("barrier", IndexSet.of(0, 1)).whenComplete(new Operation.Append("ran", Value.of("x")));
        EmulatedStore first = open();
        EmulatedStore second = open();
        CompletableFuture<?> waiting = first.submit(List.of(new Operation.Arrive(barrier, IndexSet.of(0), true)), LONG);

        second.barrier(barrier, IndexSet.of(1), LONG);

        waiting.get();
        first.barrier(barrier, IndexSet.of(0), LONG);
        assertThat(second.get("ran").text()).isEqualTo("x");
    }

    @Test
    void nobodyPassesIfTheCompletingClientDied() throws Exception {
        Barrier barrier = Barrier.of("barrier", IndexSet.of(0, 1));
        EmulatedStore store = open();
        store.execute(new Operation.Arrive(barrier, IndexSet.of(0), false), LONG);
        synchronized (values) {
            Value arrivals = Objects.requireNonNull(values.get("barrier"));
            values.put("barrier", arrivals.append(Contents.completing(1)));
        }

        assertThatThrownBy(() -> store.barrier(barrier, IndexSet.of(1), Duration.ofMillis(20)))
                .isInstanceOf(BarrierTimeoutException.class);
    }

    @Test
    void arrivalThatDoesNotWaitForOthersWaitsForTheCompletion() throws Exception {
        Barrier barrier = Barrier.of("barrier", IndexSet.of(0));
        Operation.Arrive arrive = new Operation.Arrive(barrier, IndexSet.of(0), false);
        Value arrived = Contents.arrival(barrier, IndexSet.of(0));
        EmulatedStore store = open();
        synchronized (values) {
            values.put("barrier", arrived.append(Contents.completing(1)));
        }
        store.submit(List.of(arrive), Duration.ZERO).get(); // it is already overdue

        CompletableFuture<?> waiting = store.submit(List.of(arrive), LONG);
        store.set("key", "value");
        assertThat(waiting).isNotDone();
        synchronized (values) {
            values.put("barrier", arrived.append(Contents.completing(1)).append(Contents.complete()));
        }

        waiting.get();
    }

    @Test
    void arrivingAgainWritesNothing() throws Exception {
        Barrier barrier = Barrier.of("barrier", IndexSet.of(0, 1));
        EmulatedStore store = open();
        store.execute(new Operation.Arrive(barrier, IndexSet.of(0), false), LONG);
        store.addToSet("set", IndexSet.of(1));
        Map<String, Value> before = Map.copyOf(values);

        store.execute(new Operation.Arrive(barrier, IndexSet.of(0), false), LONG);
        store.addToSet("set", IndexSet.of(1));

        assertThat(values).isEqualTo(before);
    }

    @Test
    void newWaitsDoNotPostponeThePollForOthers() throws Exception {
        EmulatedStore store = open();
        CompletableFuture<?> waiting = store.submit(List.of(new Operation.Get("key")), LONG);
        Thread busy = new Thread(() -> {
            while (!Thread.currentThread().isInterrupted()) {
                store.submit(List.of(new Operation.Get("missing")), Duration.ofMillis(1))
                        .exceptionally(timedOut -> null)
                        .join();
            }
        });
        busy.setDaemon(true);
        busy.start();

        open().set("key", "text");

        waiting.get(10, TimeUnit.SECONDS);
        busy.interrupt();
        busy.join();
    }

    @Test
    void lossOfAnIdleStoreIsNoticed() throws Exception {
        InMemoryPlainStore plain = new InMemoryPlainStore(values);
        EmulatedStore store = open(plain);
        BlockingQueue<StoreException> losses = new LinkedBlockingQueue<>();
        store.onLost(losses::add);

        plain.cut();

        assertThat(losses.poll(10, TimeUnit.SECONDS)).isInstanceOf(StoreLostException.class);
    }

    @Test
    void closingEndsItsThread() {
        EmulatedStore store = EmulatedStore.builder().name("ends").build(new InMemoryPlainStore(values));
        store.send(List.of(new Operation.Watch("key", change -> {})));
        await().until(() -> threads("resiliency-store-ends") == 1);

        store.close();
        store.close();

        assertThat(threads("resiliency-store-ends")).isZero();
    }

    private static long threads(String name) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(name))
                .count();
    }

    @Test
    void waitingOnItsOwnThreadIsRejected() throws Exception {
        EmulatedStore store = open();
        BlockingQueue<Throwable> failures = new LinkedBlockingQueue<>();
        store.watch("key", change -> {
            try {
                store.get("other");
            } catch (InterruptedException | RuntimeException failure) {
                failures.add(failure);
            }
        });

        store.set("key", "text");

        assertThat(failures.poll(10, TimeUnit.SECONDS)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void saysThatItKeepsNoSessions() {
        assertThat(open().keepsSessions()).isFalse();
        assertThat(new PrefixStore("prefix", open()).keepsSessions()).isFalse();
    }

    @Test
    void pollIntervalIsPositive() {
        EmulatedStore.Builder builder = EmulatedStore.builder();

        assertThatThrownBy(() -> builder.pollInterval(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class);
    }
}
