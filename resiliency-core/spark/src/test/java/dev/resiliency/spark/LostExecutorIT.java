package dev.resiliency.spark;

import static dev.resiliency.spark.StageOnCluster.RANKS;
import static dev.resiliency.spark.StageOnCluster.SUM;
import static dev.resiliency.spark.StageOnCluster.begin;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.testing.Signal;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.spark.FetchFailed;
import org.apache.spark.TaskContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Executors of a real cluster that are lost. */
class LostExecutorIT extends ClusterStages {

    private static ResilientStage waiting() {
        return spark.stage().lostRows(LostRows.WAIT);
    }

    private Summing summing(Summing.Mishap mishap) {
        return summing(STEPS, mishap);
    }

    private static void assertComplete(List<Long> results) {
        assertThat(results).as(spark.cluster::log).hasSize(RANKS).containsOnly(STEPS * SUM);
    }

    /** Kills a rank from outside when it has done some steps. */
    private void killRankOne() {
        String pid = journal.awaitLine("rank 1 of 3 begins iteration 0 with 10 rows in process (\\d+) as FOUNDED");
        journal.awaitLine("(rank 1) has done step 10");
        ProcessHandle.of(Long.parseLong(pid)).orElseThrow().destroyForcibly();
    }

    @Test
    void othersGoOnInTheirProcessesOnceTheReplacementHasReadTheRows() throws Exception {
        CompletableFuture<List<Long>> results = begin(waiting(), spark.rows(), summing(NONE));
        killRankOne();

        assertComplete(results.get());
        assertThat(spark.restarts)
                .singleElement()
                .satisfies(restart -> assertThat(restart.cause()).startsWith("TERMINATED on rank 1"))
                .extracting(StageRestart::restarts, StageRestart::ranks)
                .containsExactly(1, RANKS);
        assertThat(journal.find(".* of 3 begins iteration 1 with 10 rows .* as SURVIVED"))
                .hasSize(2);
        assertThat(journal.find(".* of 3 begins iteration 1 with 10 rows .* as JOINED"))
                .hasSize(1);
    }

    @Test
    void othersGoOnAtOnceWithoutTheRows() throws Exception {
        Summing summing = Summing.until(journal, ".* of 3 begins .* as JOINED");
        CompletableFuture<List<Long>> results = begin(spark.stage(), spark.rows(), summing);
        killRankOne();

        assertThat(results.get()).as(spark.cluster::log).hasSize(RANKS);
        assertThat(results.get()).containsOnly(results.get().get(0)).allMatch(sum -> sum < summing.steps() * SUM);
        assertThat(spark.restarts).extracting(StageRestart::ranks).startsWith(2).endsWith(3);
    }

    @Test
    @Tag("full")
    void executorThatIsKilledWhileItReadsItsRowsIsReplaced() throws Exception {
        CompletableFuture<List<Long>> results = begin(
                spark.stage(),
                spark.rows().map(row -> {
                    TaskContext task = TaskContext.get();
                    if (task.partitionId() == 2 && task.attemptNumber() == 0) {
                        StageOnCluster.killMyself();
                    }
                    return row;
                }),
                summing(NONE));

        assertComplete(results.get());
        assertThat(spark.restarts).isEmpty();
    }

    @Test
    @Tag("full")
    void executorThatIsKilledInItsFirstStepIsReplaced() throws Exception {
        CompletableFuture<List<Long>> results = begin(waiting(), spark.rows(), summing((state, step) -> {
            if (state.iteration() == 0 && state.activeRank() == 0) {
                StageOnCluster.killMyself();
            }
        }));

        assertComplete(results.get());
        assertThat(spark.restarts).hasSize(1);
    }

    @Test
    void resultsOfACompleteStageSurviveTheExecutorsThatHaveReturnedThem() throws Exception {
        CompletableFuture<List<Long>> results = begin(
                spark.stage()
                        .settings(builder -> builder.completion(state -> {
                            if (state.activeRank() != 1 && TaskContext.get().attemptNumber() == 0) {
                                StageOnCluster.killMyself();
                            }
                        })),
                spark.rows(),
                summing(NONE));

        assertComplete(results.get());
        assertThat(spark.restarts).isEmpty();
        assertThat(journal.find(".* begins .*")).hasSize(RANKS);
    }

    @Test
    @Tag("full")
    void stageThatIsCompleteDoesNotWaitForAReplacementThatDoesNotCome() throws Exception {
        CompletableFuture<List<Long>> results = begin(
                spark.stage(),
                spark.rows().map(row -> {
                    if (TaskContext.get().attemptNumber() > 0) {
                        Thread.sleep(600_000);
                    }
                    return row;
                }),
                summing((state, step) -> {
                    if (state.iteration() == 0 && state.activeRank() == 1 && step == 10) {
                        StageOnCluster.killMyself();
                    }
                }));

        assertThat(results.get()).as(spark.cluster::log).hasSize(RANKS - 1);
        assertThat(spark.restarts).extracting(StageRestart::ranks).containsExactly(RANKS - 1);
    }

    @Test
    @Tag("full")
    void replacementReadsAShuffleAgainWhoseFilesWereLostWithItsExecutor() throws Exception {
        Queue<Integer> refetched = new ConcurrentLinkedQueue<>();
        Journal journal = this.journal; // not the test, which is not serializable
        SparkListener listener = new SparkListener() {
            @Override
            public void onTaskEnd(SparkListenerTaskEnd end) {
                if (end.reason() instanceof FetchFailed) {
                    refetched.add(end.taskInfo().partitionId());
                }
            }
        };
        spark.context.sc().addSparkListener(listener);
        try {
            CompletableFuture<List<Long>> results = begin(
                    waiting(),
                    spark.rows()
                            .map(row -> {
                                journal.write("has shuffled in process " + pid());
                                return row;
                            })
                            .repartition(RANKS),
                    summing((state, step) -> {
                        if (state.iteration() == 0
                                && step == 10
                                && journal.awaitLine("has shuffled in process (.*)")
                                        .equals(pid())) {
                            StageOnCluster.killMyself();
                        }
                    }));

            assertComplete(results.get());
        } finally {
            spark.context.sc().removeSparkListener(listener);
        }
        assertThat(refetched).isNotEmpty();
        assertThat(spark.restarts).hasSize(1);
        assertThat(journal.find(".* begins iteration 1 .* as SURVIVED")).hasSize(2);
    }

    private static String pid() {
        return String.valueOf(ProcessHandle.current().pid());
    }

    @Test
    void suspendedExecutorIsEndedByItsMonitorProcessAndReplaced() throws Exception {
        CompletableFuture<List<Long>> results = begin(
                waiting()
                        .settings(builder ->
                                builder.softTimeout(Duration.ofSeconds(10)).hardTimeout(Duration.ofSeconds(15))),
                spark.rows(),
                summing((state, step) -> {
                    if (state.iteration() == 0 && state.activeRank() == 2 && step == 10) {
                        StageOnCluster.signalMyself("STOP");
                    }
                }));

        assertComplete(results.get());
        assertThat(spark.restarts).isNotEmpty();
    }

    @Test
    @Tag("full")
    void executorThatIsCutOffAndBackBeforeSparkReplacesItJoinsAgain() throws Exception {
        CompletableFuture<List<Long>> results = begin(
                spark.stage().settings(builder -> builder.heartbeatTimeout(Duration.ofSeconds(10))),
                spark.rows(),
                Summing.until(journal, "is back"));
        String pid = journal.awaitLine("rank 1 of 3 begins iteration 0 .* in process (\\d+) as FOUNDED");
        journal.awaitLine("(rank 1) has done step 10");
        List<Long> executor = StageOnCluster.withDescendants(Long.parseLong(pid));
        Signal.send("STOP", executor);
        spark.awaitRanks(RANKS - 1);
        Signal.send("CONT", executor);
        journal.awaitLine("(rank \\d) of 3 begins .* in process " + pid + " as JOINED");
        journal.write("is back");

        assertThat(results.get()).as(spark.cluster::log).hasSize(RANKS);
        assertThat(results.get()).containsOnly(results.get().get(0));
        assertThat(spark.restarts).extracting(StageRestart::ranks).containsExactly(RANKS - 1, RANKS);
    }

    @Test
    @Tag("full")
    void stageFailsWhenSparkHasLostTheSameRankTooOften() {
        CompletableFuture<List<Long>> results = begin(waiting(), spark.rows(), summing((state, step) -> {
            if (TaskContext.getPartitionId() == 1 && step == 5) {
                StageOnCluster.killMyself();
            }
        }));

        assertThatThrownBy(results::get)
                .cause()
                .isInstanceOf(ResilientStageException.class)
                .hasMessageContaining("failed 2 times");
    }
}
