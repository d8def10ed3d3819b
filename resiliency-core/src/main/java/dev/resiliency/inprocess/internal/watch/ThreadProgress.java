package dev.resiliency.inprocess.internal.watch;

import com.sun.management.ThreadMXBean;
import dev.resiliency.inprocess.internal.jvmti.ThreadControl;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Detects from outside, without an agent, whether a thread makes progress: the automatic heartbeat. It does if it has
 * allocated, blocked or waited since the last check; if its stack has changed; or if it has used the processor while
 * running Java code. The stack, which costs the most, is taken only if the counters stand still.
 *
 * <p>A thread that spins in a native function, waits forever, or is deadlocked makes none. A loop around a long native
 * function that allocates nothing looks the same; {@link #returnsFromNative} distinguishes the two if JVMTI is available.
 */
public final class ThreadProgress {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final Thread thread;
    private final @Nullable ThreadControl control;
    private long allocated = -1;
    private long blockedAndWaited = -1;
    private long cpuTime = -1;
    private StackTraceElement @Nullable [] stack;

    /** Creates a detector for a thread; {@code control} is null if JVMTI is not available. */
    public ThreadProgress(Thread thread, @Nullable ThreadControl control) {
        this.thread = thread;
        this.control = control;
    }

    /** Returns whether the thread has made progress since the last call; true on the first. */
    public boolean sample() {
        @SuppressWarnings("deprecation") // threadId() does not exist in 17
        long id = thread.getId();
        long nowAllocated = THREADS.getThreadAllocatedBytes(id);
        long nowCpuTime = THREADS.getThreadCpuTime(id);
        ThreadInfo info = THREADS.getThreadInfo(id);
        long nowBlockedAndWaited = info == null ? -1 : info.getBlockedCount() + info.getWaitedCount();

        boolean usedCpu = nowCpuTime != cpuTime;
        boolean counted = nowAllocated != allocated || nowBlockedAndWaited != blockedAndWaited;
        allocated = nowAllocated;
        cpuTime = nowCpuTime;
        blockedAndWaited = nowBlockedAndWaited;
        if (counted) {
            stack = null;
            return true;
        }
        StackTraceElement[] before = stack;
        StackTraceElement[] now = thread.getStackTrace();
        stack = now;
        return (before != null && !Arrays.equals(before, now)) || (usedCpu && runsJava(now));
    }

    /**
     * Returns whether the thread, which made no progress by {@link #sample}, is in a native function and returns from
     * it, which is progress, too. Observes it until it does, for at most {@code limit}, and while {@code go} is true.
     */
    boolean returnsFromNative(Duration limit, BooleanSupplier go) {
        return control != null && stack != null && runsNative(stack) && control.returnsFromNative(thread, limit, go);
    }

    private boolean runsJava(StackTraceElement[] frames) {
        return thread.getState() == Thread.State.RUNNABLE && frames.length > 0 && !frames[0].isNativeMethod();
    }

    /**
     * Returns whether the thread runs native code. One that waits or sleeps has a native function on top, too, but
     * stands in the virtual machine.
     */
    private boolean runsNative(StackTraceElement[] frames) {
        return thread.getState() == Thread.State.RUNNABLE && frames.length > 0 && frames[0].isNativeMethod();
    }
}
