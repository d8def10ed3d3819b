package dev.resiliency.inprocess.internal;

import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * One step of user code on a thread of its own, so that nothing which stops it can leak into another, and a stuck one is
 * visible by name in a thread dump. The thread inherits from the one that starts it: class loader and inheritable
 * thread-locals come down from the caller of the wrapper.
 */
final class Worker<T> {
    private final Thread thread;
    /** Written by the worker's thread as its last act. */
    private volatile @Nullable Ending<T> ending;

    private Worker(String name, Callable<? extends @Nullable T> step, Runnable onEnd) {
        thread = new Thread(
                () -> {
                    ending = run(step);
                    onEnd.run();
                },
                name);
        thread.setDaemon(true);
    }

    /**
     * How the step ended.
     *
     * @param result what it returned
     * @param thrown what it threw; null if it returned
     */
    record Ending<T>(@Nullable T result, @Nullable Throwable thrown) {}

    /** Starts the step; {@code onEnd} is run on its thread when it has ended. */
    static <T> Worker<T> start(String name, Callable<? extends @Nullable T> step, Runnable onEnd) {
        Worker<T> worker = new Worker<>(name, step, onEnd);
        worker.thread.start();
        return worker;
    }

    @SuppressWarnings("CatchingUnchecked") // whatever ends the user's code is for the restart loop to judge
    private static <T> Ending<T> run(Callable<? extends @Nullable T> step) {
        try {
            return new Ending<>(step.call(), null);
        } catch (Throwable thrown) {
            return new Ending<>(null, thrown);
        }
    }

    /** How the step ended; null while it runs. */
    @Nullable
    Ending<T> ending() {
        return ending;
    }

    Thread thread() {
        return thread;
    }

    void interrupt() {
        thread.interrupt();
    }
}
