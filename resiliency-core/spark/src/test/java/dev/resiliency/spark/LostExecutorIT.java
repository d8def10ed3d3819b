package dev.resiliency.spark;

import static dev.resiliency.spark.StageOnCluster.RANKS;
import static dev.resiliency.spark.StageOnCluster.SUM;
import static dev.resiliency.spark.StageOnCluster.begin;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.inprocess.Wrapper;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.VoidFunction;
import org.junit.jupiter.api.Test;

/** Executors of a real cluster that are lost. */
class LostExecutorIT extends ClusterStages {

    private static final VoidFunction<Wrapper.Builder> PATIENT = builder -> builder.softTimeout(Duration.ofMinutes(5))
            .hardTimeout(Duration.ofMinutes(6))
            .barrierTimeout(Duration.ofMinutes(7));

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
        CompletableFuture<List<Long>> results = begin(spark.stage(), spark.rows(), summing(NONE));
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
    void othersGoOnAtOnceIfTheRowsMayBeLeftOut() throws Exception {
        CompletableFuture<List<Long>> results =
                begin(spark.stage().lostRows(LostRows.LEAVE_OUT), spark.rows(), new Summing(journal, 1_500, 20, NONE));
        killRankOne();

        assertThat(results.get()).as(spark.cluster::log).hasSize(RANKS);
        assertThat(results.get().get(0)).isLessThan(1_500 * SUM);
        assertThat(spark.restarts).extracting(StageRestart::ranks).startsWith(2).endsWith(3);
    }

    @Test
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
    void executorThatIsKilledInItsFirstStepIsReplaced() throws Exception {
        CompletableFuture<List<Long>> results = begin(spark.stage(), spark.rows(), summing((state, step) -> {
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
    void suspendedExecutorIsEndedByItsMonitorProcessAndReplaced() throws Exception {
        CompletableFuture<List<Long>> results = begin(
                spark.stage()
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
    void stageFailsWhenSparkHasLostTheSameRankTooOften() {
        CompletableFuture<List<Long>> results = begin(spark.stage(), spark.rows(), summing((state, step) -> {
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
