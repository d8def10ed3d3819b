package dev.resiliency.inprocess.internal.cycle;

import dev.resiliency.inprocess.internal.log.SafeLog;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Calls a step repeatedly, on its own thread, until the step or the owner ends it. */
public final class DutyCycle implements AutoCloseable {
    /** Returned by the last step. */
    public static final long END = -1;

    private static final Logger LOG = SafeLog.of(DutyCycle.class);
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(5);

    private final LongSupplier step;
    private final Waker waker;
    private final Thread thread;
    private final CountDownLatch ended = new CountDownLatch(1);
    /** Written by the owner, read by the thread. */
    private volatile boolean closing;
    /** Written by the thread. */
    private volatile @Nullable Throwable failure;

    private DutyCycle(String name, LongSupplier step, Waker waker) {
        this.step = step;
        this.waker = waker;
        this.thread = new Thread(this::run, name);
        thread.setDaemon(true);
    }

    /**
     * Starts the cycle.
     *
     * @param step returns the nanoseconds to sleep, unless the waker ends the sleep; {@link #END} to end the cycle
     * @throws dev.resiliency.inprocess.ResiliencyException if its thread cannot be started
     */
    public static DutyCycle start(String name, LongSupplier step, Waker waker) {
        return Threads.start(name, () -> {
            DutyCycle cycle = new DutyCycle(name, step, waker);
            cycle.thread.start();
            return cycle;
        });
    }

    @SuppressWarnings("CatchingUnchecked") // a cycle must not fail silently
    private void run() {
        try {
            for (long nanos = step.getAsLong(); nanos != END && !closing; nanos = step.getAsLong()) {
                sleep(nanos);
            }
        } catch (Throwable thrown) {
            failure = thrown; // first: what follows may fail as well, if there is no memory
            LOG.error("the thread {} ends because of {}", thread.getName(), thrown.toString(), thrown);
        } finally {
            ended.countDown();
        }
    }

    /** Only {@link #close} ends the cycle: an interrupt by a listener or a thread group merely ends the sleep early. */
    private void sleep(long nanos) {
        try {
            waker.sleep(nanos);
        } catch (InterruptedException notMeantForTheCycle) {
            LOG.debug("the thread {} was interrupted, and continues", thread.getName());
        }
    }

    /** Returns what ended the cycle, once it has ended by itself; null if the step did. */
    public @Nullable Throwable failure() {
        return failure;
    }

    /** Waits until the cycle has ended by itself. */
    public void awaitEnd() throws InterruptedException {
        ended.await();
    }

    /** Waits for a while; returns whether the cycle has ended by itself. */
    public boolean awaitEnd(Duration limit) throws InterruptedException {
        return ended.await(limit.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** Ends the cycle after the current step; logs if that takes too long. */
    @Override
    public void close() {
        closing = true;
        waker.wake();
        try {
            if (!ended.await(CLOSE_LIMIT.toMillis(), TimeUnit.MILLISECONDS)) {
                LOG.warn(
                        "the thread {} has not ended after {} s and is left behind",
                        thread.getName(),
                        CLOSE_LIMIT.toSeconds());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
