package dev.resiliency.examples.demo;

import dev.resiliency.inprocess.CallWrapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Makes the last step of a training wait for a sign, so that processes which were started again can still come, however slow
 * the machine is. Confined to the thread that trains.
 */
final class Finale {
    private static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration PAUSE = Duration.ofMillis(20);

    private final int lastStep;
    private final @Nullable Path sign;

    /**
     * Creates it.
     *
     * @param sign the file that is awaited; null for no wait
     */
    Finale(int lastStep, @Nullable Path sign) {
        this.lastStep = lastStep;
        this.sign = sign;
    }

    /** Waits for the sign if this is the last step, but not for ever. */
    void stepStarts(CallWrapper call, int step) throws InterruptedException {
        if (step != lastStep || sign == null) {
            return;
        }
        long begin = System.nanoTime();
        while (!Files.exists(sign) && System.nanoTime() - begin < LIMIT.toNanos()) {
            call.ping();
            Thread.sleep(PAUSE.toMillis());
        }
    }
}
