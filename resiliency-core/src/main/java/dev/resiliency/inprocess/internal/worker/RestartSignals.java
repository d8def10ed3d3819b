package dev.resiliency.inprocess.internal.worker;

import dev.resiliency.inprocess.RestartSignal;
import dev.resiliency.inprocess.internal.log.SafeLog;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** Creates the signals that the methods of a call throw, and detects code that swallows them. From any thread. */
final class RestartSignals {
    private static final Logger LOG = SafeLog.of(RestartSignals.class);
    private static final int SHOWN_FRAMES = 8;

    private final int iteration;
    private final AtomicReference<@Nullable Thrown> first = new AtomicReference<>();
    private final AtomicReference<@Nullable RestartSignal> swallowed = new AtomicReference<>();

    RestartSignals(int iteration) {
        this.iteration = iteration;
    }

    private record Thrown(Thread thread, RestartSignal signal) {}

    /** Returns the signal to throw. A thread that gets a second one did not let the first one through. */
    RestartSignal next() {
        RestartSignal signal = new RestartSignal(iteration);
        Thrown before = first.get();
        if (before == null) {
            first.compareAndSet(null, new Thrown(Thread.currentThread(), signal));
        } else if (before.thread() == Thread.currentThread() && swallowed.compareAndSet(null, signal)) {
            LOG.debug(
                    "thread {} has swallowed a RestartSignal, or runs a finally block: it was thrown at {}, then the"
                            + " function went on at {}",
                    before.thread().getName(),
                    place(before.signal()),
                    place(signal));
        }
        return signal;
    }

    /** Returns whether a signal was thrown. */
    boolean any() {
        return first.get() != null;
    }

    private static List<StackTraceElement> place(RestartSignal signal) {
        StackTraceElement[] stack = signal.getStackTrace();
        return Arrays.asList(stack).subList(0, Math.min(stack.length, SHOWN_FRAMES));
    }
}
