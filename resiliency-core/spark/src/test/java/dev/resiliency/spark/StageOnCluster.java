package dev.resiliency.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.spark.cluster.SparkCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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
        this(directory, RANKS, Map.of());
    }

    /**
     * Starts the application.
     *
     * @param cores of the worker
     * @param settings of Spark, beside those that all tests have
     */
    StageOnCluster(Path directory, int cores, Map<String, String> settings) throws Exception {
        cluster = SparkCluster.start(directory, cores);
        SparkConf conf = cluster.conf("resilient", RANKS)
                .set("spark.task.maxFailures", "2")
                .set("spark.eventLog.enabled", "true")
                .set("spark.eventLog.compress", "false")
                .set("spark.eventLog.dir", directory.toUri().toString())
                .set("spark.driver.maxResultSize", "120m");
        settings.forEach(conf::set);
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

    /** Waits until the world has had these numbers of ranks, one after each restart. */
    void awaitRanks(Integer... ranks) {
        await().atMost(Duration.ofMinutes(2))
                .untilAsserted(() ->
                        assertThat(restarts).extracting(StageRestart::ranks).startsWith(ranks));
    }

    /** Returns a process and all that it has started. */
    static List<Long> withDescendants(long pid) {
        ProcessHandle process = ProcessHandle.of(pid).orElseThrow();
        return Stream.concat(Stream.of(process), process.descendants())
                .map(ProcessHandle::pid)
                .toList();
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
