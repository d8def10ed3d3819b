package dev.resiliency.spark;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.spark.cluster.SparkCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.Function2;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;

/** An application on a cluster of three executors, which runs stages. */
final class StageOnCluster implements AutoCloseable {
    static final int RANKS = 3;
    /** What {@link Summing} returns for each step. */
    static final long SUM = 435;

    final SparkCluster cluster;
    final JavaSparkContext context;
    /** Of all stages. */
    final Queue<StageRestart> restarts = new ConcurrentLinkedQueue<>();
    /** As {@link #restarts}. */
    final Queue<StageProgress> progress = new ConcurrentLinkedQueue<>();

    StageOnCluster(Path directory) throws Exception {
        cluster = SparkCluster.start(directory, RANKS);
        SparkConf conf = cluster.conf("resilient", RANKS)
                .set("spark.task.maxFailures", "2")
                .set("spark.eventLog.enabled", "true")
                .set("spark.eventLog.compress", "false")
                .set("spark.eventLog.dir", directory.toUri().toString())
                .set("spark.driver.maxResultSize", "120m");
        context = new JavaSparkContext(conf);
        context.sc().addSparkListener(new SparkListener() {
            @Override
            public void onOtherEvent(SparkListenerEvent event) {
                if (event instanceof StageRestart restart) {
                    restarts.add(restart);
                } else if (event instanceof StageProgress step) {
                    progress.add(step);
                }
            }
        });
    }

    JavaRDD<Integer> rows() {
        return context.parallelize(IntStream.range(0, 30).boxed().toList(), RANKS);
    }

    ResilientStage stage() {
        return ResilientStage.of(context);
    }

    /** Runs a stage on a thread of its own. */
    static <T, R> CompletableFuture<List<R>> begin(
            ResilientStage stage, JavaRDD<T> rows, Function2<CallWrapper, List<T>, R> function) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try {
                        return stage.run(rows, function);
                    } catch (InterruptedException e) {
                        throw new CompletionException(e);
                    }
                },
                task -> new Thread(task, "stage").start());
    }

    /** Kills the process that runs this. */
    static void killMyself() throws IOException, InterruptedException {
        signalMyself("KILL");
    }

    /** Sends a signal to the process that runs this. */
    static void signalMyself(String name) throws IOException, InterruptedException {
        new ProcessBuilder(
                        "kill",
                        "-" + name,
                        String.valueOf(ProcessHandle.current().pid()))
                .start()
                .waitFor();
    }

    @Override
    public void close() {
        context.close();
        cluster.close();
    }
}
