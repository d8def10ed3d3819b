package dev.resiliency.inprocess;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs a finalize hook on a separate thread, with a time limit. A hook that exceeds it makes its rank leave, like one
 * that throws: whatever it hangs on would break the next iteration, too. Its thread is interrupted and left behind.
 * Corresponds to nvidia-resiliency-ext's {@code ThreadedFinalize}.
 *
 * <p>Waiting for the hook is not progress, so a timeout longer than the wrapper's hard timeout has no effect: the
 * monitor process ends the rank first.
 *
 * <p>Thread: {@code resiliency-finalize-r3-i2-threaded}.
 *
 * @param hook the hook to run
 * @param timeout how long it may take
 */
record ThreadedFinalize(Finalize hook, Duration timeout) implements Finalize {

    /** Checks that the timeout is positive. */
    ThreadedFinalize {
        if (timeout.isNegative() || timeout.isZero()) {
            throw new IllegalArgumentException("timeout is " + timeout + ": it must be positive");
        }
    }

    /**
     * Runs the hook and waits for it.
     *
     * @throws TimeoutException if it has not ended in time; the message shows where it is
     */
    @Override
    public void finish(State state) throws Exception {
        FutureTask<Void> run = new FutureTask<>(() -> {
            hook.finish(state);
            return null;
        });
        Thread thread = new Thread(run, Thread.currentThread().getName() + "-threaded");
        thread.setDaemon(true);
        thread.start();
        try {
            run.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw new TimeoutException("the finalize hook has not ended within %d ms; it is at %s"
                    .formatted(timeout.toMillis(), List.of(thread.getStackTrace())));
        } catch (ExecutionException failure) {
            if (failure.getCause() instanceof Error error) {
                throw error;
            }
            throw failure.getCause() instanceof Exception exception ? exception : failure;
        } finally {
            thread.interrupt(); // no effect on a hook that has ended
        }
    }
}
