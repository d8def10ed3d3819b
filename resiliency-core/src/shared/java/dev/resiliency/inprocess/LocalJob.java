package dev.resiliency.inprocess;

import dev.resiliency.store.spi.InMemoryStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** A job whose ranks are threads of the test and share an in-memory store. */
public final class LocalJob implements AutoCloseable {
    private static final AtomicInteger JOBS = new AtomicInteger();

    private final int worldSize;
    private final InMemoryStore store = InMemoryStore.create(Duration.ofSeconds(20));
    /** The processes of a job count their calls apart from those of other jobs at another address. */
    private final String address = "in memory, job " + JOBS.incrementAndGet();

    private final AtomicInteger others = new AtomicInteger();
    private final ExecutorService callers = Executors.newCachedThreadPool();

    public LocalJob(int worldSize) {
        this.worldSize = worldSize;
    }

    public InMemoryStore store() {
        return store;
    }

    /** Returns the settings of one rank. */
    Wrapper.Builder rank(int rank) {
        return process(rank, rank);
    }

    /** Returns the settings of one process of a rank; local ranks tell the processes of this JVM apart. */
    private Wrapper.Builder process(int rank, int localRank) {
        return Wrapper.builder()
                .environment(new Environment(rank, worldSize, localRank, address, 1))
                .store((environment, call) -> store.newSession())
                .monitorProcess(false)
                .progressWatchdogInterval(Duration.ofMillis(50))
                .softTimeout(Duration.ofSeconds(5))
                .hardTimeout(Duration.ofSeconds(8))
                .barrierTimeout(Duration.ofSeconds(10));
    }

    /** Starts one rank; the future fails with what the wrapper throws. */
    public <R> Future<@Nullable R> start(
            int rank, UnaryOperator<Wrapper.Builder> settings, RestartableFunction<R> function) {
        Callable<@Nullable R> wrapped = settings.apply(rank(rank)).build().wrap(function);
        return callers.submit(wrapped);
    }

    /** Starts a process that comes with the number of a rank which has one. */
    public <R> Future<@Nullable R> startAnother(
            int rank, UnaryOperator<Wrapper.Builder> settings, RestartableFunction<R> function) {
        Wrapper.Builder another = process(rank, worldSize + others.getAndIncrement());
        Callable<@Nullable R> wrapped = settings.apply(another).build().wrap(function);
        return callers.submit(wrapped);
    }

    /** Starts all ranks. */
    public <R> List<Future<@Nullable R>> startAll(
            UnaryOperator<Wrapper.Builder> settings, RestartableFunction<R> function) {
        List<Future<@Nullable R>> results = new ArrayList<>();
        for (int rank = 0; rank < worldSize; rank++) {
            results.add(start(rank, settings, function));
        }
        return results;
    }

    /** Interrupts the remaining callers, and waits until all ranks have ended. */
    @Override
    public void close() {
        callers.shutdownNow();
        boolean ended = awaitEnd();
        store.close();
        if (!ended) {
            throw new AssertionError("a rank's caller has not ended");
        }
    }

    private boolean awaitEnd() {
        try {
            return callers.awaitTermination(20, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
