package dev.resiliency.inprocess.internal.worker;

import dev.resiliency.inprocess.internal.cycle.Threads;
import dev.resiliency.inprocess.internal.jvmti.ThreadControl;
import dev.resiliency.inprocess.spi.stack.StackFrames;
import java.util.concurrent.Callable;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One step of user code on its own thread, so that nothing that stops it can leak into another step, and a stuck one is
 * visible by name in a thread dump. The thread inherits the class loader and inheritable thread-locals from the caller
 * of the wrapper.
 *
 * <p>What is thrown into the thread from outside can surface between any two instructions, and would end the thread with
 * a message of the JVM on stderr where nothing catches it. So only a running step is thrown into: the thread declares it
 * running where everything is caught, and over before it waits at the gate for a delivery that is under way. It discards
 * what that one throws, wherever it surfaces. If a thread is struck several times even between these instructions and
 * dies, the next delivery finds it dead and ends the step in its place.
 */
public final class Worker<T> {
    private final Thread thread;
    private final Runnable onEnd;
    /** Written by the worker's thread as its last act; by the one that delivers if that thread has died before. */
    private volatile @Nullable Ending<T> ending;

    /** Held during a delivery. */
    private final Object gate = new Object();
    /** Written by the worker's thread. */
    private volatile StepState stepState = StepState.NOT_STARTED;

    private Worker(
            @Nullable ThreadGroup group,
            String name,
            UnaryOperator<Runnable> decorator,
            Callable<? extends @Nullable T> step,
            Runnable onEnd) {
        this.onEnd = onEnd;
        thread = new Thread(group, decorated(decorator, () -> end(run(step))), name);
        thread.setUncaughtExceptionHandler((same, surfacedLate) -> end(endingOr(surfacedLate)));
        thread.setDaemon(true);
    }

    private enum StepState {
        NOT_STARTED,
        RUNNING,
        OVER
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
        return start(null, name, UnaryOperator.identity(), step, onEnd);
    }

    /**
     * Starts the step in a thread group, which the threads that it starts inherit; null for that of the caller.
     *
     * @param decorator the user's: wraps what the thread runs. What it throws fails the step
     */
    static <T> Worker<T> start(
            @Nullable ThreadGroup group,
            String name,
            UnaryOperator<Runnable> decorator,
            Callable<? extends @Nullable T> step,
            Runnable onEnd) {
        return Threads.start(name, () -> {
            Worker<T> worker = new Worker<>(group, name, decorator, step, onEnd);
            worker.thread.start();
            return worker;
        });
    }

    /** Returns how the step has ended, if it has: what its decorator throws afterwards does not count. */
    private Ending<T> endingOr(Throwable thrown) {
        Ending<T> known = ending;
        return known == null ? new Ending<>(null, thrown) : known;
    }

    /** The user's code decorates on the thread itself, where what it throws, and how long it takes, harms nobody else. */
    private static Runnable decorated(UnaryOperator<Runnable> decorator, Runnable step) {
        return () -> decorator.apply(step).run();
    }

    @SuppressWarnings("CatchingUnchecked") // the restart loop judges whatever ends the user's code
    private Ending<T> run(Callable<? extends @Nullable T> step) {
        try {
            stepState = StepState.RUNNING;
            T result = step.call();
            stepState = StepState.OVER;
            return new Ending<>(result, null);
        } catch (Throwable thrown) {
            stepState = StepState.OVER;
            return new Ending<>(null, thrown);
        }
    }

    private void end(Ending<T> how) {
        leave();
        conclude(how);
    }

    private void conclude(Ending<T> how) {
        ending = how;
        onEnd.run();
    }

    @SuppressWarnings("ThreadPriorityCheck") // the yield is not meant for the scheduler
    private void leave() {
        boolean left = false;
        while (!left) {
            try {
                synchronized (gate) {
                    stepState = StepState.OVER;
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
        return known == null && dead ? died() : known;
    }

    private static <T> Ending<T> died() {
        return new Ending<>(null, new IllegalStateException("the thread was stopped"));
    }

    public Thread thread() {
        return thread;
    }

    public void interrupt() {
        thread.interrupt();
    }

    /** Returns a text that shows where the thread is. */
    String place() {
        return "thread " + thread.getName() + " is at " + StackFrames.notable(thread.getStackTrace());
    }

    /**
     * Throws into the step if it has started. May block for seconds.
     *
     * @return false if the step is over
     */
    boolean deliver(ThreadControl control, Throwable throwable) {
        synchronized (gate) {
            if (stepState == StepState.OVER) {
                return false;
            }
            if (thread.isAlive()) {
                if (stepState == StepState.RUNNING) {
                    control.throwInto(thread, throwable);
                }
                return true;
            }
            stepState = StepState.OVER;
        }
        conclude(died());
        return false;
    }
}
