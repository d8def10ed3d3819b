package dev.resiliency.inprocess.internal;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.internal.cycle.Clock;
import dev.resiliency.inprocess.internal.log.SafeLog;
import dev.resiliency.inprocess.internal.protocol.Terminations;
import dev.resiliency.inprocess.internal.settings.LogPrefix;
import dev.resiliency.inprocess.internal.watch.Supervision;
import dev.resiliency.inprocess.internal.watch.Supervision.Watched;
import dev.resiliency.inprocess.internal.worker.IterationCall;
import dev.resiliency.inprocess.spi.stack.StackFrames;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.slf4j.Logger;

/**
 * Records why this process ends, if its JVM is shut down while the function runs: whoever then notices its end knows no more than
 * that. A JVM that is halted, killed or crashes runs no hooks; one that does cannot tell them its exit code.
 *
 * <p>Thread: {@code resiliency-shutdown}, the hook.
 */
final class ShutdownNotice implements AutoCloseable {
    private static final Logger LOG = SafeLog.of("dev.resiliency.inprocess");
    /** How long the JVM waits for the store at most. */
    private static final Duration LIMIT = Duration.ofSeconds(1);

    private static final String SHUTDOWN = "java.lang.Shutdown";
    private static final List<String> CALLERS = List.of(SHUTDOWN, "java.lang.Runtime", "java.lang.System");
    private static final String SIGNAL = "jdk.internal.misc.Signal";
    private static final String SIGNAL_THREAD = " handler";

    private final Supervision supervision;
    private final Supplier<Terminations> terminations;
    private final int rank;
    private final LogPrefix prefix;
    /** Takes on nothing of the caller's; only the JVM starts it. */
    private final Thread hook = new Thread(null, this::record, "resiliency-shutdown", 0, false);

    private ShutdownNotice(Supervision supervision, Supplier<Terminations> terminations, int rank, LogPrefix prefix) {
        this.supervision = supervision;
        this.terminations = terminations;
        this.rank = rank;
        this.prefix = prefix;
    }

    /** Waits for a shutdown, until it is closed. */
    static ShutdownNotice begin(
            Supervision supervision, Supplier<Terminations> terminations, int rank, LogPrefix prefix) {
        ShutdownNotice notice = new ShutdownNotice(supervision, terminations, rank, prefix);
        try {
            Runtime.getRuntime().addShutdownHook(notice.hook);
        } catch (IllegalStateException hasBegun) {
            LOG.debug("{} the JVM is shut down already", prefix);
        }
        return notice;
    }

    private void record() {
        Watched watched = supervision.watched();
        IterationCall call = watched == null ? null : watched.call();
        if (call == null) {
            return;
        }
        String message = "its JVM was shut down " + cause(Thread.getAllStackTraces()) + " while the function ran";
        LOG.warn("{} this rank ends: {}", prefix, message);
        try {
            terminations
                    .get()
                    .note(
                            call.state().iteration(),
                            new Interruption(rank, Interruption.Kind.TERMINATED, Clock.SYSTEM.now(), message))
                    .get(LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException | TimeoutException outOfReach) {
            LOG.debug("{} the others will not learn why", prefix, outOfReach);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns what has begun the shutdown, by the stacks of all threads: the one that did waits for the hooks. */
    static String cause(Map<Thread, StackTraceElement[]> stacks) {
        for (Map.Entry<Thread, StackTraceElement[]> entry : stacks.entrySet()) {
            List<StackTraceElement> stack = List.of(entry.getValue());
            if (stack.stream().anyMatch(ShutdownNotice::isExit)) {
                String thread = entry.getKey().getName();
                boolean isSignal =
                        stack.stream().anyMatch(frame -> frame.getClassName().startsWith(SIGNAL));
                return isSignal && thread.endsWith(SIGNAL_THREAD)
                        ? "by " + thread.substring(0, thread.length() - SIGNAL_THREAD.length())
                        : "by System.exit on thread " + thread + ", " + place(stack) + ",";
            }
        }
        return "as its last thread had ended";
    }

    private static boolean isExit(StackTraceElement frame) {
        return frame.getClassName().equals(SHUTDOWN) && frame.getMethodName().equals("exit");
    }

    private static String place(List<StackTraceElement> stack) {
        return stack.stream()
                .dropWhile(frame -> !isExit(frame))
                .filter(frame -> !CALLERS.contains(frame.getClassName()))
                .findFirst()
                .map(frame -> "at " + StackFrames.brief(frame.toString()))
                .orElse("at an unknown place");
    }

    @Override
    public void close() {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException hasBegun) {
            LOG.debug("{} the JVM is shut down", prefix);
        }
    }
}
