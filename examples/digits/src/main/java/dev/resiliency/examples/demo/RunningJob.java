package dev.resiliency.examples.demo;

import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A job that a demo runs. Every event goes through one queue and is handled by one thread. */
interface RunningJob {
    /** Starts the processes. */
    void start() throws IOException, InterruptedException;

    /** Waits for an event, at most this long; returns null if there is none. */
    @Nullable
    Runnable await(Duration atMost) throws InterruptedException;

    /** Handles an event and those that have arrived since, and does what is due. */
    void handle(@Nullable Runnable event) throws IOException;

    /** Returns whether all processes are gone, except for frozen ones, and none is to be started again. */
    boolean isOver();
}
