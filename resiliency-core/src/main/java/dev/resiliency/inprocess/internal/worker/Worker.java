package dev.resiliency.inprocess.internal.worker;

import dev.resiliency.inprocess.internal.jvmti.ThreadControl;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * One step of user code on its own thread, so that nothing that stops it can leak into another step, and a stuck one is
 * visible by name in a thread dump. The thread inherits the class loader and inheritable thread-locals from the caller
 * of the wrapper.
 *
 * <p>What is thrown into the thread from outside can surface between any two instructions. The gate prevents deliveries
 * once the step is left, and the thread discards what was thrown just before, wherever it surfaces. If it is struck
 * even while doing so, three times in a row, it dies silently; then the thread's state shows that it has ended.
 */
public final class Worker<T> {
    private final Thread thread;
    private final Runnable onEnd;
    /** Written by the worker's thread as its last act. */
    private volatile @Nullable Ending<T> ending;

    private final Object gate = new Object();
    /** True while the step runs and something may be thrown into it. Guarded by {@code gate}. */
    private boolean inside = true;

    private Worker(String name, Callable<? extends @Nullable T> step, Runnable onEnd) {
        this.onEnd = onEnd;
        thread = new Thread(() -> end(run(step)), name);
        thread.setUncaughtExceptionHandler((same, surfacedLate) -> end(new Ending<>(null, surfacedLate)));
        thread.setDaemon(true);
    }

    /**
     * The end of the step.
     *
     * @param result what it returned
     * @param thrown what it threw; null if it returned
     */
    public record Ending<T>(@Nullable T result, @Nullable Throwable thrown) {}

    /** Starts the step; {@code onEnd} runs on its thread when it has ended. */
    static <T> Worker<T> start(String name, Callable<? extends @Nullable T> step, Runnable onEnd) {
        Worker<T> worker = new Worker<>(name, step, onEnd);
        worker.thread.start();
        return worker;
    }

    @SuppressWarnings("CatchingUnchecked") // the restart loop judges whatever ends the user's code
    private static <T> Ending<T> run(Callable<? extends @Nullable T> step) {
        try {
            return new Ending<>(step.call(), null);
        } catch (Throwable thrown) {
            return new Ending<>(null, thrown);
        }
    }

    private void end(Ending<T> how) {
        leave();
        ending = how;
        onEnd.run();
    }

    @SuppressWarnings("ThreadPriorityCheck") // the yield is not meant for the scheduler
    private void leave() {
        boolean left = false;
        while (!left) {
            try {
                synchronized (gate) {
                    inside = false;
                }
                Thread.yield(); // its return to Java throws what is pending
                left = true;
            } catch (Throwable surfacedLate) {
                left = false;
            }
        }
        Thread.interrupted();
    }

    /** Returns how the step ended; null while it runs. */
    @Nullable
    public Ending<T> ending() {
        boolean dead = thread.getState() == Thread.State.TERMINATED;
        Ending<T> known = ending;
        return known == null && dead ? new Ending<>(null, new IllegalStateException("the thread was stopped")) : known;
    }

    public Thread thread() {
        return thread;
    }

    public void interrupt() {
        thread.interrupt();
    }

    /** Returns a text that shows where the thread is. */
    String place() {
        return "thread " + thread.getName() + " is at " + List.of(thread.getStackTrace());
    }

    /**
     * Throws into the step. May block for seconds.
     *
     * @return false if the step is over
     */
    boolean deliver(ThreadControl control, Throwable throwable) {
        synchronized (gate) {
            if (inside && thread.isAlive()) {
                control.throwInto(thread, throwable);
            }
            return inside && thread.isAlive();
        }
    }
}
