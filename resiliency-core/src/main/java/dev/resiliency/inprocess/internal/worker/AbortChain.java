package dev.resiliency.inprocess.internal.worker;

import dev.resiliency.inprocess.CallWrapper.Abortable;
import dev.resiliency.inprocess.internal.cycle.Clock;
import dev.resiliency.inprocess.internal.cycle.Stopwatch;
import dev.resiliency.inprocess.internal.cycle.Threads;
import dev.resiliency.inprocess.internal.log.SafeLog;
import dev.resiliency.inprocess.internal.settings.LogPrefix;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;

/**
 * Runs the actions that unblock a worker, each on its own thread, so that a stuck one cannot block the others. Aborting
 * several NCCL communicators one after the other deadlocks, for example.
 *
 * <p>Threads: {@code resiliency-abort-r3-i2-0} for the abort hooks, and one with a higher number for each registered
 * action. The restart waits 10 s for them at most.
 */
public final class AbortChain {
    /** The restart waits this long for the actions; one that takes longer continues on its thread. */
    static final Duration LIMIT = Duration.ofSeconds(10);

    private static final Logger LOG = SafeLog.of(AbortChain.class);

    private final LogPrefix prefix;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicInteger running;
    private final Stopwatch since;

    private AbortChain(LogPrefix prefix, int actions, Clock clock) {
        this.prefix = prefix;
        this.since = new Stopwatch(clock);
        this.running = new AtomicInteger(actions);
    }

    /** Starts the actions in order; the last one to end runs {@code onEnd}. */
    static AbortChain start(LogPrefix prefix, String name, List<Abortable> actions, Clock clock, Runnable onEnd) {
        AbortChain chain = new AbortChain(prefix, actions.size(), clock);
        for (Abortable action : actions) {
            String ofAction = name + "-" + chain.threads.size();
            chain.threads.add(Threads.start(ofAction, () -> {
                Thread thread = new Thread(() -> chain.run(action, onEnd), ofAction);
                thread.setDaemon(true);
                thread.start();
                return thread;
            }));
        }
        return chain;
    }

    @SuppressWarnings("CatchingUnchecked") // however an abort fails, it must not end the restart
    private void run(Abortable action, Runnable onEnd) {
        try {
            action.abort();
        } catch (Throwable thrown) {
            LOG.warn("{} abort action {} failed; the restart continues", prefix, action, thrown);
        } finally {
            if (running.decrementAndGet() == 0) {
                onEnd.run();
            }
        }
    }

    boolean hadActions() {
        return !threads.isEmpty();
    }

    /** Returns whether all actions have ended. */
    boolean isDone() {
        return running.get() == 0;
    }

    /** Returns whether the restart need not wait any longer: all actions have ended or timed out. */
    boolean isOver() {
        return isDone() || since.hasReached(LIMIT);
    }

    /** Logs the actions that are stuck, and where. */
    void reportStuck() {
        for (Thread thread : threads) {
            if (thread.isAlive()) {
                LOG.warn(
                        "{} abort action on thread {} has not ended after {} s and is left behind; it is at {}",
                        prefix,
                        thread.getName(),
                        LIMIT.toSeconds(),
                        List.of(thread.getStackTrace()));
            }
        }
    }
}
