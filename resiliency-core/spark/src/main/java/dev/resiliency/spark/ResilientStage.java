package dev.resiliency.spark;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.Wrapper;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.Function2;
import org.apache.spark.api.java.function.VoidFunction;

/**
 * A stage of Spark whose tasks work together, as those of a distributed training do, and in which a lost executor costs a
 * restart: the function is stopped on the others and called again <i>in the same processes</i>, with the same rows in memory,
 * while Spark starts another executor and repeats the one task that was lost.
 *
 * <pre>{@code
 * List<Model> models = ResilientStage.of(context).ranks(8).run(rows, (call, part) -> train(call, part));
 * }</pre>
 *
 * <p>Each rank is an ordinary task, which has a partition and an executor of its own. The driver hosts the store in which the
 * ranks meet, with a secret that it draws. Collects the settings of a stage, each of which has a default; not safe for use by
 * several threads. In Scala, a {@code SparkContext} and an {@code RDD} are converted to the types of this class implicitly.
 *
 * @since 0.1.0
 */
public final class ResilientStage {
    final JavaSparkContext context;
    int ranks;
    LostRows lostRows = LostRows.LEAVE_OUT;
    Duration replacementWait = Duration.ofMinutes(10);
    Duration slotWait = Duration.ofMinutes(5);
    int maxRestarts = 16;
    int port;
    VoidFunction<Wrapper.Builder> settings = builder -> {};

    private ResilientStage(JavaSparkContext context) {
        this.context = context;
    }

    /** Returns a stage with all defaults. */
    public static ResilientStage of(JavaSparkContext context) {
        return new ResilientStage(Objects.requireNonNull(context, "context"));
    }

    /**
     * Sets the number of ranks: the RDD is brought to as many partitions. That of its partitions by default.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    public ResilientStage ranks(int value) {
        if (value < 1) {
            throw new IllegalArgumentException("ranks is " + value + ": it must be at least 1");
        }
        ranks = value;
        return this;
    }

    /** Sets what happens to the rows of a lost rank until it is replaced. {@link LostRows#LEAVE_OUT} by default. */
    public ResilientStage lostRows(LostRows value) {
        lostRows = Objects.requireNonNull(value, "lostRows");
        return this;
    }

    /**
     * Sets how long too few ranks wait for others, at the beginning and after a loss, before the stage fails. 10 min by default.
     */
    public ResilientStage replacementWait(Duration value) {
        replacementWait = notNegative("replacementWait", value);
        return this;
    }

    /**
     * Sets how long to wait for as many executors without tasks as there are ranks before the stage fails. 5 min by default.
     */
    public ResilientStage slotWait(Duration value) {
        slotWait = notNegative("slotWait", value);
        return this;
    }

    /**
     * Sets how often the function may be called again, for whatever reason, before the stage fails. 16 by default.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public ResilientStage maxRestarts(int value) {
        if (value < 0) {
            throw new IllegalArgumentException("maxRestarts is " + value + ": it must not be negative");
        }
        maxRestarts = value;
        return this;
    }

    /**
     * Sets the port of the driver at which it hosts the store; 0, which is the default, for any that is free. The address is
     * {@code spark.driver.host}, which executors reach, and {@code spark.driver.bindAddress}.
     */
    public ResilientStage port(int value) {
        port = value;
        return this;
    }

    /**
     * Sets what else is to be set for each rank: timeouts and hooks. Runs in the executor, after what this class sets and before it
     * decorates threads. Nothing by default.
     */
    public ResilientStage settings(VoidFunction<Wrapper.Builder> value) {
        settings = Objects.requireNonNull(value, "settings");
        return this;
    }

    private static Duration notNegative(String name, Duration value) {
        if (value.isNegative()) {
            throw new IllegalArgumentException(name + " is " + value.toMillis() / 1e3 + " s: it must not be negative");
        }
        return value;
    }

    /**
     * Runs the function on all ranks, and again after each fault, until it has returned on all of them.
     *
     * <p>Each rank is a job of Spark, with the job group, the tags and the pool of the calling thread. When one is cancelled, or this thread
     * is interrupted, the tasks of all are interrupted, whatever {@code spark.job.interruptOnCancel} says.
     *
     * @param rows the lineage of a partition must have the same rows whenever it is read
     * @param function as one that a {@link Wrapper} calls. Receives the rows of its rank, which it must not change; what it returns must be
     *     serializable by {@code spark.serializer}
     * @return what the function has returned on each active rank of the last iteration, in the order of the partitions. All of it together
     *     must be smaller than {@code spark.driver.maxResultSize}
     * @throws IllegalArgumentException if the function is not serializable; names what it holds
     * @throws ResilientStageException if the settings of Spark rule the stage out, there are too few slots, or it has failed
     * @throws InterruptedException if the thread was interrupted: the stage has been cancelled
     */
    public <T, R> List<R> run(JavaRDD<T> rows, Function2<CallWrapper, List<T>, R> function)
            throws InterruptedException {
        return new StageRun<>(this, rows, function).run();
    }
}
