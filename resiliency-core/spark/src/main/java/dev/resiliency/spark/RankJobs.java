package dev.resiliency.spark;

import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.spark.SimpleFutureAction;
import org.apache.spark.SparkContext;
import org.apache.spark.rdd.RDD;
import org.jspecify.annotations.Nullable;
import scala.Function1;
import scala.Option;
import scala.collection.Iterator;
import scala.concurrent.ExecutionContext;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.BoxedUnit;
import scala.util.Try;

/**
 * The jobs of a stage, one for each rank. When a task finds that files of a shuffle are lost, Spark repeats all tasks of its job that
 * have not ended, beside those that run: here, only that task.
 */
final class RankJobs implements AutoCloseable {
    private static final String INTERRUPT = "spark.job.interruptOnCancel";

    private final List<SimpleFutureAction<BoxedUnit>> jobs;
    /** Has a permit for each job that has ended since the last wait. */
    private final Semaphore ends = new Semaphore(0);

    private RankJobs(List<SimpleFutureAction<BoxedUnit>> jobs) {
        this.jobs = jobs;
        jobs.forEach(job -> job.onComplete(
                end -> {
                    ends.release();
                    return BoxedUnit.UNIT;
                },
                ExecutionContext.parasitic$.MODULE$));
    }

    /** Submits the task for each partition. */
    static <T> RankJobs submit(SparkContext context, RDD<T> rows, Function1<Iterator<T>, BoxedUnit> task) {
        String before = context.getLocalProperty(INTERRUPT);
        context.setLocalProperty(INTERRUPT, "true");
        try {
            return new RankJobs(IntStream.range(0, rows.getNumPartitions())
                    .mapToObj(rank -> context.submitJob(
                            rows,
                            task,
                            CollectionConverters.asScala(List.<Object>of(rank)).toSeq(),
                            (partition, nothing) -> BoxedUnit.UNIT,
                            () -> BoxedUnit.UNIT))
                    .toList());
        } finally {
            context.setLocalProperty(INTERRUPT, before);
        }
    }

    /** Waits until a job ends, or the time is over. */
    void await(long millis) throws InterruptedException {
        if (ends.tryAcquire(millis, TimeUnit.MILLISECONDS)) {
            ends.drainPermits();
        }
    }

    /** Returns why one of them has failed; null if none has. */
    @Nullable
    Throwable failure() {
        return jobs.stream()
                .map(SimpleFutureAction::value)
                .filter(Option::isDefined)
                .map(Option::get)
                .filter(Try::isFailure)
                .map(end -> end.failed().get())
                .findFirst()
                .orElse(null);
    }

    /** Returns the ranks whose jobs have not ended. */
    List<Integer> running() {
        return IntStream.range(0, jobs.size())
                .filter(rank -> !jobs.get(rank).isCompleted())
                .boxed()
                .toList();
    }

    /** Cancels those that have not ended. */
    @Override
    public void close() {
        running().forEach(rank -> jobs.get(rank).cancel());
    }
}
