package dev.resiliency.spark;

import dev.resiliency.inprocess.State;
import dev.resiliency.store.Store;
import dev.resiliency.store.Value;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a task tells the driver: {@code began/RANK/TASK} with the place where the rank runs, {@code world/ITERATION} with who
 * runs the function, {@code step/ITERATION} with the step that it has begun last, {@code complete/RANK} when all have returned,
 * and {@code failed} with the reason why the stage cannot succeed.
 */
record StageSession(Store store) implements AutoCloseable {
    static final String BEGAN = "began/";
    static final String WORLD = "world/";
    static final String STEP = "step/";
    static final String COMPLETE = "complete/";
    static final String FAILED = "failed";

    /** Returns why the stage has failed; null if it has not. */
    @Nullable
    String failure() throws InterruptedException {
        return store.check(List.of(FAILED)) ? store.get(FAILED).text() : null;
    }

    /** A rank has read its rows, and is about to join the others. */
    void began(int rank, long task, String place) throws InterruptedException {
        store.set(BEGAN + rank + "/" + task, place);
    }

    /** An iteration has begun. */
    void world(State state) throws InterruptedException {
        store.set(
                WORLD + state.iteration(),
                state.jobRestarts() + " " + state.activeWorldSize() + " " + state.lastFault());
    }

    /** The function has begun a step. */
    void step(int iteration, long step) throws InterruptedException {
        store.set(STEP + iteration, String.valueOf(step));
    }

    /** This rank has seen that the function has returned on all ranks. */
    void complete(int rank) throws InterruptedException {
        store.set(COMPLETE + rank, Value.empty());
    }

    /** The stage cannot succeed. The first reason counts. */
    void fail(String reason) throws InterruptedException {
        store.compareAndSet(FAILED, Value.empty(), Value.of(reason));
    }

    @Override
    public void close() {
        store.close();
    }
}
