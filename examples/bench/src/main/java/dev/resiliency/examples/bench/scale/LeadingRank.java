package dev.resiliency.examples.bench.scale;

import dev.resiliency.examples.job.FreePort;
import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.Elasticity;
import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.RestartListener;
import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.Wrapper;
import dev.resiliency.store.spi.ForwardingStore;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.tcp.TcpStore;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Rank 0 as a whole, with its restart loop, in this process: it decides when those who wait are taken in, and for whom it
 * interrupts the job.
 */
final class LeadingRank implements AutoCloseable, RestartListener {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration END_LIMIT = Duration.ofSeconds(20);
    private static final Duration STEP = Duration.ofMillis(20);

    private final BlockingQueue<RestartReport> reports = new LinkedBlockingQueue<>();
    private final BlockingQueue<State> started = new LinkedBlockingQueue<>();
    /** When this rank last claimed how an iteration ends, and how often it has; written by the restart loop. */
    private final AtomicLong claimedAt = new AtomicLong();

    private final AtomicLong claims = new AtomicLong();
    private final Thread caller;
    /** Written by the caller's thread. */
    private volatile @Nullable Throwable failure;

    /**
     * Starts it.
     *
     * @param joiners how many ranks the world may grow by
     */
    LeadingRank(ScaleJob job, int port, int joiners) throws IOException {
        Wrapper wrapper = Wrapper.builder()
                .environment(new Environment(0, job.ranks(), 0, "127.0.0.1", FreePort.find(), job.id()))
                .store((environment, call) -> new ClaimsStore(TcpStore.builder()
                        .name("leader")
                        .port(port)
                        .secret(null)
                        .tls(null)
                        .connect()))
                .rankAssignment(job.assignment())
                .elasticity(Elasticity.defaults().maxRanks(job.ranks() + joiners))
                .listener(this)
                .monitorProcess(false)
                .lastCallWait(Duration.ZERO)
                .barrierTimeout(LIMIT)
                .build();
        caller = new Thread(() -> run(wrapper), "leading-rank");
        caller.setDaemon(true);
        caller.start();
    }

    private void run(Wrapper wrapper) {
        try {
            wrapper.call(LeadingRank::train);
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            failure = e;
        }
    }

    private static @Nullable Void train(CallWrapper call) throws InterruptedException {
        while (true) {
            call.ping();
            Thread.sleep(STEP.toMillis());
        }
    }

    /** Notices the claims of this rank. */
    private final class ClaimsStore extends ForwardingStore {
        ClaimsStore(SessionStore store) {
            super(store);
        }

        @Override
        public CompletableFuture<List<@Nullable Object>> submit(
                List<? extends Operation<?>> operations, Duration timeout) {
            boolean isClaim = operations.stream()
                    .anyMatch(each ->
                            each instanceof Operation.Claim claim && claim.key().endsWith("/outcome"));
            if (isClaim) {
                claimedAt.set(System.nanoTime());
                claims.incrementAndGet();
            }
            return super.submit(operations, timeout);
        }
    }

    @Override
    public void iterationStarted(State state) {
        started.add(state);
    }

    @Override
    public void restarted(RestartReport report) {
        reports.add(report);
    }

    /** Waits until its first iteration has started. */
    void awaitStart() throws InterruptedException {
        await(started, "the first iteration");
    }

    /** Waits for the report of the next restart. */
    RestartReport awaitRestart() throws InterruptedException {
        return await(reports, "a restart");
    }

    /** Returns whether there is a restart within this time that nobody has awaited. */
    boolean restartsWithin(Duration time) throws InterruptedException {
        return reports.poll(time.toMillis(), TimeUnit.MILLISECONDS) != null;
    }

    private <T> T await(BlockingQueue<T> queue, String what) throws InterruptedException {
        T next = queue.poll(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        if (next == null) {
            throw new IllegalStateException("rank 0 has not reported " + what + " within " + LIMIT, failure);
        }
        return next;
    }

    /** Returns how often this rank has interrupted an iteration. */
    long interruptions() {
        return claims.get();
    }

    /** Returns when it did so last, by {@link System#nanoTime}. */
    long interruptedAt() {
        return claimedAt.get();
    }

    /** Makes it leave the job, whose other ranks are gone. */
    @Override
    public void close() {
        caller.interrupt();
        try {
            caller.join(END_LIMIT.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
