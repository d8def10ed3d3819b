package dev.resiliency.spark;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Lets an executor run one rank at a time: when a rank hangs, its whole process is ended. A task that Spark starts again in the
 * same executor waits until the one before has left.
 */
final class OneRank implements AutoCloseable {
    private static final Object LOCK = new Object();

    /** The rank that runs in this process. Guarded by {@link #LOCK}. */
    private static @Nullable OneRank running;

    private final String name;

    private OneRank(String name) {
        this.name = name;
    }

    /**
     * Waits until no rank runs in this process.
     *
     * @throws ResilientStageException if one still does after {@code limit}
     */
    static OneRank enter(String stage, int rank, Duration limit) throws InterruptedException {
        OneRank entering = new OneRank("rank " + rank + " of " + stage);
        long deadline = System.nanoTime() + limit.toNanos();
        synchronized (LOCK) {
            while (running != null) {
                long millis = (deadline - System.nanoTime()) / 1_000_000;
                if (millis <= 0) {
                    throw new ResilientStageException(
                            "%s cannot run in this executor, in which %s has been running for more than %d s: an executor has one rank, as a rank that hangs is ended with its process. Set spark.task.cpus to spark.executor.cores"
                                    .formatted(entering.name, running.name, limit.toSeconds()),
                            null);
                }
                LOCK.wait(millis);
            }
            running = entering;
        }
        return entering;
    }

    @Override
    public void close() {
        synchronized (LOCK) {
            running = null;
            LOCK.notifyAll();
        }
    }
}
