package dev.resiliency.inprocess.internal.jvmti;

import com.sun.jna.Memory;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * {@link ThreadControl} by JVMTI.
 *
 * <p>A suspended thread keeps its locks. So nothing that runs meanwhile may need a lock that user code can hold: no
 * logging, no class loading. {@link #warmUp} has loaded all classes before the first real thread is suspended.
 *
 * <p>Thread: {@code resiliency-jvmti-warm-up}, which is suspended and ends.
 */
final class JvmtiThreadControl implements ThreadControl {
    private static final Duration POLL = Duration.ofNanos(500_000);
    /** A thread starts at once, but the machine may have more to do than processors. */
    private static final Duration LIMIT = Duration.ofMinutes(1);
    /** A number and no time: a machine that takes the processor away for as long would not warm up anything. */
    private static final int WARM_UP_LOOKS = 2;

    private final JvmtiEnvironment jvmti;

    JvmtiThreadControl(JvmtiEnvironment jvmti) {
        this.jvmti = jvmti;
    }

    /**
     * Suspends and stops a throw-away thread. Before it is parked, it may be loading a class, and so hold a lock that this thread
     * needs to load what it has not used yet.
     *
     * @throws IllegalStateException if that thread is not parked in time
     */
    void warmUp() throws InterruptedException {
        Thread victim = new Thread(
                () -> {
                    while (!Thread.currentThread().isInterrupted()) {
                        LockSupport.park(this);
                    }
                },
                "resiliency-jvmti-warm-up");
        victim.setUncaughtExceptionHandler((thread, stopped) -> {});
        victim.setDaemon(true);
        victim.start();
        try {
            awaitParked(victim);
            AtomicInteger looks = new AtomicInteger(WARM_UP_LOOKS);
            returnsFromNative(victim, LIMIT, () -> looks.getAndDecrement() > 0);
            throwInto(victim, new Error("the warm-up is over"));
        } finally {
            victim.interrupt();
        }
        victim.join(Duration.ofSeconds(1).toMillis());
    }

    private static void awaitParked(Thread victim) throws InterruptedException {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (victim.getState() != Thread.State.WAITING) {
            if (System.nanoTime() - end >= 0) {
                throw new IllegalStateException("a thread has not started within %d s".formatted(LIMIT.toSeconds()));
            }
            TimeUnit.NANOSECONDS.sleep(POLL.toNanos());
        }
    }

    @Override
    public void throwInto(Thread thread, Throwable throwable) {
        int error = jvmti.stop(thread, throwable);
        if (error != JvmtiEnvironment.OK && error != JvmtiEnvironment.THREAD_NOT_ALIVE) {
            throw new IllegalStateException(
                    "JVMTI did not stop thread " + thread.getName() + ": StopThread failed with error " + error);
        }
    }

    /**
     * {@inheritDoc}
     *
     * <p>A thread that turns out not to be in a native function when suspended has just returned from one, or waits
     * inside the virtual machine, for example for another thread's class initializer. It is resumed and checked again:
     * one that returns repeatedly is soon caught inside a native function.
     */
    @Override
    public boolean returnsFromNative(Thread thread, Duration limit, BooleanSupplier go) {
        long end = System.nanoTime() + limit.toNanos();
        try (Memory state = new Memory(Integer.BYTES)) {
            while (continues(go, end)) {
                Observation observed = suspended(thread, end, go, state);
                if (observed != Observation.OUTSIDE) {
                    return observed == Observation.CAME_BACK;
                }
                LockSupport.parkNanos(POLL.toNanos());
            }
        }
        return false;
    }

    /** What was observed of a suspended thread. */
    private enum Observation {
        /** It was in a native function and returned. */
        CAME_BACK,
        /** It stayed in the native function, or has ended. */
        STAYED,
        /** It was not in a native function to begin with. */
        OUTSIDE
    }

    private Observation suspended(Thread thread, long end, BooleanSupplier go, Memory state) {
        boolean ours = true;
        try {
            // Whoever else suspended the thread, such as a debugger, will resume it.
            ours = jvmti.suspend(thread) == JvmtiEnvironment.OK;
            if (!ours) {
                return Observation.STAYED;
            }
            if (!isInNative(thread, state)) {
                return Observation.OUTSIDE;
            }
            while (continues(go, end)) {
                LockSupport.parkNanos(POLL.toNanos());
                if (!isInNative(thread, state)) {
                    return Observation.CAME_BACK;
                }
            }
            return Observation.STAYED;
        } finally {
            if (ours) {
                jvmti.resume(thread);
            }
        }
    }

    private static boolean continues(BooleanSupplier go, long end) {
        return go.getAsBoolean()
                && System.nanoTime() - end < 0
                && !Thread.currentThread().isInterrupted();
    }

    private boolean isInNative(Thread thread, Memory state) {
        return jvmti.threadState(thread, state) == JvmtiEnvironment.OK
                && (state.getInt(0) & JvmtiEnvironment.IN_NATIVE) != 0;
    }
}
