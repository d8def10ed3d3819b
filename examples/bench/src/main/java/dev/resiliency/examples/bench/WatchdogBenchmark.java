package dev.resiliency.examples.bench;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Measures one check of the function's thread, as the watchdog makes it once per {@code progressWatchdogInterval}. The
 * class is internal to the library and package-private, so reflection reaches it.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class WatchdogBenchmark {
    private static final int DEPTH = 30;

    private volatile boolean over;
    private MethodHandle working = MethodHandles.constant(boolean.class, false);
    private MethodHandle stuck = working;

    /** For JMH. */
    public WatchdogBenchmark() {}

    /** Starts a thread that allocates, and one that waits forever, thirty calls deep. */
    @Setup
    public void start() throws ReflectiveOperationException {
        working = sampleOf(start("working", this::allocate));
        stuck = sampleOf(start("stuck", () -> descend(DEPTH)));
    }

    private static Thread start(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void allocate() {
        for (byte[] last = new byte[16]; !over; last = new byte[16 + last[0]]) {
            Thread.onSpinWait();
        }
    }

    private int descend(int depth) {
        if (depth > 0) {
            return descend(depth - 1) + 1;
        }
        synchronized (this) {
            try {
                while (!over) {
                    wait();
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException("this thread is never interrupted", e);
            }
        }
        return 0;
    }

    private static MethodHandle sampleOf(Thread thread) throws ReflectiveOperationException {
        Class<?> progress = Class.forName("dev.resiliency.inprocess.internal.watch.ThreadProgress");
        Constructor<?> constructor = progress.getDeclaredConstructor(
                Thread.class, Class.forName("dev.resiliency.inprocess.internal.jvmti.ThreadControl"));
        constructor.setAccessible(true);
        Method sample = progress.getDeclaredMethod("sample");
        sample.setAccessible(true);
        return MethodHandles.lookup().unreflect(sample).bindTo(constructor.newInstance(thread, null));
    }

    /** Ends the threads. */
    @TearDown
    public synchronized void end() {
        over = true;
        notifyAll();
    }

    /** The counters have changed: no stack is taken. */
    @Benchmark
    public boolean working() throws Throwable {
        return (boolean) working.invokeExact();
    }

    /** Nothing has changed: the stack is taken and compared. */
    @Benchmark
    public boolean stuck() throws Throwable {
        return (boolean) stuck.invokeExact();
    }
}
