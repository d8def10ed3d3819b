package dev.resiliency.spark;

import static dev.resiliency.spark.StageOnCluster.RANKS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.resiliency.testing.Signal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A machine that is cut off with its worker and its executor, neither of which dies, and that comes back. */
class CutOffMachineIT {
    @TempDir
    private Path directory;

    @Test
    @Tag("full")
    void executorThatComesBackAfterSparkHasReplacedItDisturbsNothing() throws Exception {
        Journal journal = new Journal(directory.resolve("journal").toString());
        Map<String, String> impatient = Map.of(
                "spark.network.timeout", "20s",
                "spark.network.timeoutInterval", "2s",
                "spark.executor.heartbeatInterval", "2s",
                // As slow as by default, where executors start on a busy machine.
                "spark.rpc.askTimeout", "120s",
                "spark.rpc.lookupTimeout", "120s");
        try (StageOnCluster spark = new StageOnCluster(directory, RANKS - 1, impatient)) {
            ProcessHandle machine = spark.cluster.addWorker(1);
            CompletableFuture<List<Long>> results = StageOnCluster.begin(
                    spark.stage().settings(builder -> builder.heartbeatTimeout(Duration.ofSeconds(10))),
                    spark.rows(),
                    Summing.until(journal, "is back"));
            journal.awaitLine("(rank 1) has done step 10");
            List<Long> cutOff = StageOnCluster.withDescendants(machine.pid());
            List<ProcessHandle> executors = machine.children().toList();
            spark.cluster.addWorker(RANKS - 1); // with room for a replacement

            Signal.send("STOP", cutOff);
            spark.awaitRanks(RANKS - 1, RANKS);
            Signal.send("CONT", cutOff);
            await("end of the executor that was cut off")
                    .atMost(Duration.ofMinutes(2))
                    .until(() -> executors.stream().noneMatch(ProcessHandle::isAlive));
            assertThat(results).isNotDone();
            journal.write("is back");

            assertThat(results.get()).as(spark.cluster::log).hasSize(RANKS);
            assertThat(results.get()).containsOnly(results.get().get(0));
            assertThat(executors).hasSize(1);
            assertThat(spark.restarts).extracting(StageRestart::ranks).containsExactly(RANKS - 1, RANKS);
            assertThat(spark.restarts.element().cause()).startsWith("TERMINATED on rank ");
        }
    }
}
