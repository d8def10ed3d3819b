package dev.resiliency.spark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.apache.spark.SparkConf;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Stages whose ranks all run in the process of the driver. */
class LocalStageIT {
    private static JavaSparkContext context;

    @TempDir
    private Path directory;

    @BeforeAll
    static void start() {
        context = new JavaSparkContext(
                new SparkConf(false).setMaster("local[3]").setAppName("local").set("spark.ui.enabled", "false"));
    }

    @AfterAll
    static void stop() {
        context.close();
    }

    private static JavaRDD<Integer> rows(int partitions) {
        return context.parallelize(IntStream.range(0, 30).boxed().toList(), partitions);
    }

    @Test
    void eachPartitionIsARankWithItsRows() throws Exception {
        List<String> results = ResilientStage.of(context)
                .run(
                        rows(3),
                        (call, rows) -> TaskContext.getPartitionId() + " of "
                                + call.state().activeWorldSize() + ": " + rows.get(0) + " to "
                                + rows.get(rows.size() - 1));

        assertThat(results).containsExactly("0 of 3: 0 to 9", "1 of 3: 10 to 19", "2 of 3: 20 to 29");
    }

    @Test
    void rowsAreBroughtToAsManyPartitionsAsRanks() throws Exception {
        assertThat(ResilientStage.of(context).ranks(2).run(rows(5), (call, rows) -> rows.size()))
                .hasSize(2)
                .satisfies(sizes -> assertThat(sizes.get(0) + sizes.get(1)).isEqualTo(30));
        assertThat(ResilientStage.of(context).ranks(3).run(rows(1), (call, rows) -> rows.size()))
                .hasSize(3)
                .satisfies(sizes ->
                        assertThat(sizes.get(0) + sizes.get(1) + sizes.get(2)).isEqualTo(30));
    }

    @Test
    void resultMayBeNull() throws Exception {
        assertThat(ResilientStage.of(context).run(rows(2), (call, rows) -> null))
                .containsExactly(null, null);
    }

    @Test
    void stageFailsWithTheLastFaultWhenItHasBeenRestartedTooOften() {
        assertThatThrownBy(() -> ResilientStage.of(context).maxRestarts(2).run(rows(2), (call, rows) -> {
                    throw new IllegalStateException("loss is NaN");
                }))
                .isInstanceOf(ResilientStageException.class)
                .hasMessageContaining("restarted 3 times; maxRestarts is 2")
                .hasMessageContaining("loss is NaN");
    }

    @Test
    void whatIsNotSerializableIsNamedBeforeAnythingIsStarted() {
        Object lock = new Object();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> ResilientStage.of(context).run(rows(2), (call, rows) -> lock.hashCode()))
                .withMessageContaining("the function cannot be sent to executors")
                .withMessageContaining("java.lang.Object");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ResilientStage.of(context)
                        .settings(builder -> Objects.requireNonNull(lock))
                        .run(rows(2), (call, rows) -> 1))
                .withMessageContaining("the settings cannot be sent to executors");
    }

    @Test
    void resultThatIsNotSerializableFailsTheStage() {
        assertThatThrownBy(() -> ResilientStage.of(context).run(rows(2), (call, rows) -> new Object()))
                .isInstanceOf(ResilientStageException.class)
                .hasMessageContaining("the result cannot be serialized");
    }

    @Test
    void barrierStageIsRefused() {
        JavaRDD<Integer> rows = rows(2).rdd()
                .barrier()
                .mapPartitions(each -> each, false, scala.reflect.ClassTag$.MODULE$.apply(Integer.class))
                .toJavaRDD();

        assertThatThrownBy(() -> ResilientStage.of(context).run(rows, (call, part) -> 1))
                .isInstanceOf(ResilientStageException.class)
                .hasMessageContaining("barrier");
    }

    @Test
    void interruptOfTheCallerEndsTheStage() throws Exception {
        Journal journal = new Journal(directory.resolve("journal").toString());
        CompletableFuture<Throwable> end = new CompletableFuture<>();
        Thread caller = new Thread(() -> {
            try {
                ResilientStage.of(context).run(rows(2), new Summing(journal, 100_000, 20, (state, step) -> {}));
            } catch (Exception e) {
                end.complete(e);
            }
        });
        caller.start();
        journal.awaitLine("(rank 1) has done step 3");
        caller.interrupt();

        assertThat(end.get()).isInstanceOf(InterruptedException.class);
        assertThat(ResilientStage.of(context).run(rows(3), (call, rows) -> rows.size()))
                .containsExactly(10, 10, 10);
    }
}
