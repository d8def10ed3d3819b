package dev.resiliency.examples.demo;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Makes each step take a minimum time, as the steps of a larger model do. Confined to the thread that trains. */
final class Pace {
    private final long step;
    private long started = System.nanoTime();

    /** Creates a pace with this time for each step; zero for as fast as possible. */
    Pace(Duration step) {
        this.step = step.toNanos();
    }

    /** Waits until the next step may begin. */
    void stepStarts() throws InterruptedException {
        long wait = step - (System.nanoTime() - started);
        if (wait > 0) {
            TimeUnit.NANOSECONDS.sleep(wait);
        }
        started = System.nanoTime();
    }
}
