package dev.resiliency.inprocess.internal.worker;

import dev.resiliency.inprocess.RestartSignal;
import dev.resiliency.inprocess.internal.cycle.Threads;
import dev.resiliency.inprocess.internal.jvmti.ThreadControl;
import dev.resiliency.inprocess.internal.log.SafeLog;
import dev.resiliency.inprocess.internal.settings.LogPrefix;
import java.time.Duration;
import java.util.List;
import org.slf4j.Logger;

/**
 * Throws a {@link RestartSignal} into a worker from outside, repeatedly until it has left its step. Runs on its own
 * thread, as a delivery can block for seconds until the worker reaches a safepoint.
 *
 * <p>Thread: {@code resiliency-worker-r3-i2-stop}, until that worker has ended.
 */
final class AsyncStop {
    private static final Logger LOG = SafeLog.of(AsyncStop.class);
    private static final Duration REPEAT = Duration.ofMillis(50);

    private final Worker<?> worker;
    private final ThreadControl control;
    private final int iteration;
    private final LogPrefix prefix;

    private AsyncStop(Worker<?> worker, ThreadControl control, int iteration, LogPrefix prefix) {
        this.worker = worker;
        this.control = control;
        this.iteration = iteration;
        this.prefix = prefix;
    }

    static void start(Worker<?> worker, ThreadControl control, int iteration, LogPrefix prefix) {
        AsyncStop stop = new AsyncStop(worker, control, iteration, prefix);
        String name = worker.thread().getName() + "-stop";
        Threads.start(name, () -> {
            Thread thread = new Thread(stop::run, name);
            thread.setDaemon(true);
            thread.start();
            return thread;
        });
    }

    private void run() {
        try {
            for (int delivered = 1; worker.deliver(control, new RestartSignal(iteration)); delivered++) {
                if (delivered == 2) {
                    LOG.debug(
                            "{} the function has swallowed a RestartSignal that was thrown into it, or is in a native"
                                    + " function; thread {} is at {}",
                            prefix,
                            worker.thread().getName(),
                            List.of(worker.thread().getStackTrace()));
                }
                worker.thread().join(REPEAT.toMillis());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException refused) {
            LOG.warn("{} the function cannot be stopped from outside", prefix, refused);
        }
    }
}
