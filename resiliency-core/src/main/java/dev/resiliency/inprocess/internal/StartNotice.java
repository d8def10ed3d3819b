package dev.resiliency.inprocess.internal;

import dev.resiliency.inprocess.internal.cycle.Threads;
import dev.resiliency.inprocess.internal.log.SafeLog;
import dev.resiliency.inprocess.internal.settings.LogPrefix;
import dev.resiliency.inprocess.spi.stack.StackFrames;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/**
 * Says where the caller of a wrapper stands that does not get into its job: the others only see that this rank is missing.
 *
 * <p>Thread: {@code resiliency-start}, until the rank takes part.
 */
final class StartNotice implements AutoCloseable {
    private static final Logger LOG = SafeLog.of("dev.resiliency.inprocess");
    /** How long a start may take without a word; then twice as long, and so on. */
    private static final Duration FIRST = Duration.ofSeconds(20);

    private static final int SHOWN = 4;

    /** Null if it could not be started. */
    private final @Nullable Thread thread;

    private StartNotice(@Nullable Thread thread) {
        this.thread = thread;
    }

    /** Looks at this thread from time to time. */
    static StartNotice begin(LogPrefix prefix) {
        return begin(
                FIRST,
                (waited, place) -> LOG.info(
                        "{} does not take part in its job after {} s: its start stands at {}",
                        prefix,
                        waited.toSeconds(),
                        place));
    }

    static StartNotice begin(Duration first, BiConsumer<? super Duration, ? super String> say) {
        Thread caller = Thread.currentThread();
        try {
            Thread thread = new Thread(() -> look(caller, first, say), "resiliency-start");
            thread.setDaemon(true);
            thread.start();
            return new StartNotice(thread);
        } catch (OutOfMemoryError noThread) {
            LOG.debug("a start that takes long is not reported", noThread);
            return new StartNotice(null);
        }
    }

    private static void look(Thread caller, Duration first, BiConsumer<? super Duration, ? super String> say) {
        try {
            Duration waited = first;
            for (Duration pause = first; caller.isAlive(); pause = waited, waited = waited.multipliedBy(2)) {
                TimeUnit.NANOSECONDS.sleep(pause.toNanos());
                say.accept(waited, placeOf(caller.getStackTrace()));
            }
        } catch (InterruptedException takesPart) {
            Thread.currentThread().interrupt();
        }
    }

    private static String placeOf(StackTraceElement[] stack) {
        return Arrays.stream(stack)
                .filter(frame -> !StackFrames.isOfTheJdk(frame.getClassName()))
                .limit(SHOWN)
                .map(frame -> StackFrames.brief(frame.toString()))
                .collect(Collectors.joining(" < "));
    }

    @Override
    public void close() {
        Threads.stop(thread);
    }
}
