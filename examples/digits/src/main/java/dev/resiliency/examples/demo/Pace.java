package dev.resiliency.examples.demo;

import dev.resiliency.inprocess.CallWrapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Slows a training down, so that it outlasts the start of processes on any machine: each step takes a minimum time, as those of a
 * larger model do, and the last one waits for a sign, but not for ever. Confined to the thread that trains.
 */
final class Pace {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration PAUSE = Duration.ofMillis(20);

    private final Duration step;
    private final int lastStep;
    private final @Nullable Path sign;
    private long started = System.nanoTime();

    /** Creates the pace of a training; {@code sign} is the file that the last step awaits, or null. */
    Pace(Duration step, int lastStep, @Nullable Path sign) {
        this.step = step;
        this.lastStep = lastStep;
        this.sign = sign;
    }

    /** Waits until the next step may begin. */
    void stepStarts(CallWrapper call, int next) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(step.toNanos() - (System.nanoTime() - started));
        started = System.nanoTime();
        while (next == lastStep
                && sign != null
                && !Files.exists(sign)
                && System.nanoTime() - started < LIMIT.toNanos()) {
            call.ping();
            Thread.sleep(PAUSE.toMillis());
        }
    }
}
