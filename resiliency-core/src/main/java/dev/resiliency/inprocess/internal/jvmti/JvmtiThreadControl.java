package dev.resiliency.inprocess.internal.jvmti;

import com.sun.jna.Memory;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * {@link ThreadControl} by JVMTI.
 *
 * <p>While a thread is suspended it keeps its locks. So nothing that runs then may need a lock that user code can hold:
 * no logging, no class loading. {@link #warmUp} has loaded all classes before the first real thread is suspended.
 */
final class JvmtiThreadControl implements ThreadControl {
    private static final Duration POLL = Duration.ofNanos(500_000);

    private final JvmtiEnvironment jvmti;

    JvmtiThreadControl(JvmtiEnvironment jvmti) {
        this.jvmti = jvmti;
    }

    /** Suspends and stops a thread that nobody needs. */
    void warmUp() throws InterruptedException {
        CountDownLatch running = new CountDownLatch(1);
        Thread nobody = new Thread(
                () -> {
                    running.countDown();
                    LockSupport.park(this);
                },
                "resiliency-warm-up");
        nobody.setUncaughtExceptionHandler((thread, stopped) -> {});
        nobody.setDaemon(true);
        nobody.start();
        running.await();
        returnsFromNative(nobody, POLL, () -> true);
        throwInto(nobody, new Error("the warm-up is over"));
        nobody.join(Duration.ofSeconds(1).toMillis());
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
     * <p>A thread that is not in a native function when it was suspended has come back in that very moment, or it waits
     * inside the virtual machine, say for another thread's class initialiser. It is let go and looked at again: one that
     * comes back again and again is soon met inside.
     */
    @Override
    public boolean returnsFromNative(Thread thread, Duration limit, BooleanSupplier go) {
        long end = System.nanoTime() + limit.toNanos();
        try (Memory state = new Memory(Integer.BYTES)) {
            while (goesOn(go, end)) {
                Look look = suspended(thread, end, go, state);
                if (look != Look.OUTSIDE) {
                    return look == Look.CAME_BACK;
                }
                LockSupport.parkNanos(POLL.toNanos());
            }
        }
        return false;
    }

    /** The finding about a thread while it was suspended. */
    private enum Look {
        /** It was in a native function and came back. */
        CAME_BACK,
        /** It was in a native function all the time, or has ended. */
        STAYED,
        /** It was not in a native function in the first place. */
        OUTSIDE
    }

    private Look suspended(Thread thread, long end, BooleanSupplier go, Memory state) {
        boolean ours = true;
        try {
            // Whoever else has suspended the thread, a debugger for example, resumes it.
            ours = jvmti.suspend(thread) == JvmtiEnvironment.OK;
            if (!ours) {
                return Look.STAYED;
            }
            if (!isInNative(thread, state)) {
                return Look.OUTSIDE;
            }
            while (goesOn(go, end)) {
                LockSupport.parkNanos(POLL.toNanos());
                if (!isInNative(thread, state)) {
                    return Look.CAME_BACK;
                }
            }
            return Look.STAYED;
        } finally {
            if (ours) {
                jvmti.resume(thread);
            }
        }
    }

    private static boolean goesOn(BooleanSupplier go, long end) {
        return go.getAsBoolean()
                && System.nanoTime() - end < 0
                && !Thread.currentThread().isInterrupted();
    }

    private boolean isInNative(Thread thread, Memory state) {
        return jvmti.threadState(thread, state) == JvmtiEnvironment.OK
                && (state.getInt(0) & JvmtiEnvironment.IN_NATIVE) != 0;
    }
}
