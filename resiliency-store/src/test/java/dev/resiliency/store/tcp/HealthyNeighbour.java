package dev.resiliency.store.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.resiliency.store.spi.Operation;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A healthy client beside others: it has a lease of two seconds, renews it, and measures how long the store takes to
 * answer it.
 */
final class HealthyNeighbour implements AutoCloseable {
    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final Duration INTERVAL = Duration.ofMillis(20);
    /** Below this, the slowest of a quiet run says more about the machine than about the store. */
    private static final Duration LEAST_QUIET = Duration.ofMillis(25);

    /** A machine that is busy with what the others send, or with something else, costs some of it. */
    private static final int TIMES = 60; // with the least quiet run, still less than its lease

    private static final Duration QUIET_RUN = Duration.ofSeconds(1);

    private final TcpStore store;
    private final AtomicLong slowest = new AtomicLong(); // nanoseconds; written by the thread, read by the test
    private final AtomicLong answers = new AtomicLong(); // the same
    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    private volatile boolean isOver;
    private final Duration quiet;

    /** Connects, and measures how long the store takes while nothing else happens. */
    HealthyNeighbour(TcpStore.Builder builder) throws Exception {
        store = builder.connect();
        store.submit(List.of(new Operation.Lease(LEASE)), LEASE).get();
        Thread thread = new Thread(this::live, "neighbour");
        thread.setDaemon(true);
        thread.start();
        TimeUnit.MILLISECONDS.sleep(QUIET_RUN.toMillis());
        slowest.set(0); // the first answers came from code that was not yet compiled
        TimeUnit.MILLISECONDS.sleep(QUIET_RUN.toMillis());
        quiet = Duration.ofNanos(Math.max(slowest.getAndSet(0), LEAST_QUIET.toNanos()));
    }

    private void live() {
        try {
            while (!isOver) {
                long start = System.nanoTime();
                store.submit(List.of(store.renewal(), new Operation.Add("neighbour", 1)), LEASE)
                        .get();
                slowest.accumulateAndGet(System.nanoTime() - start, Math::max);
                answers.incrementAndGet();
                TimeUnit.MILLISECONDS.sleep(INTERVAL.toMillis());
            }
        } catch (Exception lost) {
            failure.set(lost);
        }
    }

    /** Asserts that it is still there, and that no answer took much longer than in the quiet run. */
    void assertUndisturbed() {
        long before = answers.get(); // so that the one that it waits for now counts, too
        await().atMost(LIMIT).until(() -> answers.get() > before || failure.get() != null);
        assertThat(failure.get()).as("what the neighbour noticed").isNull();
        assertThat(Duration.ofNanos(slowest.get()))
                .as("slowest answer; %s in a quiet run", quiet)
                .isLessThan(quiet.multipliedBy(TIMES));
    }

    @Override
    public void close() {
        isOver = true; // its last request may fail, which no one asks for any more
        store.close();
    }
}
