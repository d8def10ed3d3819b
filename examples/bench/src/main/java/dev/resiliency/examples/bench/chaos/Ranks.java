package dev.resiliency.examples.bench.chaos;

import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The ranks of a job, wherever they live: processes of this program, or under agents. Confined to the thread of the job. */
interface Ranks extends AutoCloseable {
    /** Starts all of them. */
    void start() throws IOException, InterruptedException;

    /** Returns how long the job may take until it has started, or until it is whole again after a batch. */
    Duration limit();

    /** Returns what is missing until the job has its full size, and trains; null if it does. */
    @Nullable
    String missing();

    /** Goes on: starts again what has ended, as a supervisor or a scheduler does. Called now and then. */
    void step() throws IOException, InterruptedException;

    /** Checks the job while it is at rest. */
    void look() throws IOException, InterruptedException;

    /** Draws how long the job is left alone. */
    Duration pause();

    /** Draws the next batch, and begins what happens beside it. */
    Batch draw() throws IOException, InterruptedException;

    /** Injects a fault of the batch that was drawn. */
    void inject(ChaosFault fault) throws IOException, InterruptedException;

    /** Returns whether the batch has had its effect, after which the job can be whole again. */
    boolean hasHappened(Batch batch);

    /** Judges what the batch, which began at this time, has led to, once the job is whole, and counts it. */
    void judge(Batch batch, long start) throws InterruptedException;

    /** Lets the job complete, and checks that nothing is left. */
    void complete() throws IOException, InterruptedException;

    /** Frees what is left beside processes, which end with their job. */
    @Override
    default void close() throws IOException {}
}
