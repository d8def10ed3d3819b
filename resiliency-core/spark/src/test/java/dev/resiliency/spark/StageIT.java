package dev.resiliency.spark;

import static dev.resiliency.spark.StageOnCluster.RANKS;
import static dev.resiliency.spark.StageOnCluster.SUM;
import static dev.resiliency.spark.StageOnCluster.begin;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.apache.spark.TaskContext;
import org.junit.jupiter.api.Test;

/** Stages on a real cluster whose executors live on. */
class StageIT extends ClusterStages {
    private static final int MEGABYTE = 1 << 20;

    @Test
    void exceptionCostsARestartAndNoTask() throws Exception {
        List<Long> results = spark.stage().run(spark.rows(), summing(STEPS, (state, step) -> {
            if (state.iteration() == 0 && state.activeRank() == 1 && step == 10) {
                throw new IllegalStateException("loss is NaN");
            }
        }));

        assertThat(results).hasSize(RANKS).containsOnly(STEPS * SUM);
        assertThat(spark.restarts)
                .singleElement()
                .satisfies(restart -> assertThat(restart.cause()).contains("EXCEPTION on rank 1", "loss is NaN"));
        assertThat(journal.find(".* begins iteration 1 .* as SURVIVED")).hasSize(RANKS);
    }

    @Test
    void listenersLearnOfStepsAndEventLogsOfRestarts() throws Exception {
        spark.stage().run(spark.rows(), summing(2 * STEPS, (state, step) -> {
            if (state.iteration() == 0 && state.activeRank() == 1 && step == STEPS) {
                throw new IllegalStateException("loss is NaN");
            }
        }));

        await().untilAsserted(() -> assertThat(spark.progress)
                .extracting(StageProgress::restarts)
                .contains(0, 1)
                .isSorted());
        assertThat(spark.progress).extracting(StageProgress::step).isSorted().allMatch(step -> step < 2 * STEPS);
        assertThat(spark.progress).extracting(StageProgress::ranks).containsOnly(RANKS);
        await().until(() -> eventLog().contains("dev.resiliency.spark.StageRestart"));
        assertThat(eventLog()).doesNotContain("StageProgress");
    }

    private static String eventLog() throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            StringBuilder text = new StringBuilder();
            for (Path file : files.filter(each -> each.getFileName().toString().startsWith("events_"))
                    .toList()) {
                text.append(Files.readString(file));
            }
            return text.toString();
        }
    }

    @Test
    void taskThatFailsAndIsRepeatedInTheSameProcessJoinsAgain() throws Exception {
        List<Long> results = spark.stage()
                .lostRows(LostRows.WAIT)
                .settings(builder -> builder.healthCheck(state -> {
                    if (state.faults() > 0 && TaskContext.get().attemptNumber() == 0) {
                        throw new IllegalStateException("unhealthy");
                    }
                }))
                .run(spark.rows(), summing(STEPS, (state, step) -> {
                    if (state.iteration() == 0 && state.activeRank() == 1 && step == 10) {
                        throw new IllegalStateException("loss is NaN");
                    }
                }));

        assertThat(results).as(spark.cluster::log).hasSize(RANKS).containsOnly(STEPS * SUM);
        String process = journal.find("rank 1 of 3 begins iteration 0 .* in process (\\d+) as FOUNDED")
                .get(0)
                .group(1);
        assertThat(journal.find("rank \\d of 3 begins iteration \\d+ .* in process " + process + " as JOINED"))
                .isNotEmpty();
    }

    @Test
    void resultOfManyMegabytesComesWhole() throws Exception {
        List<byte[]> results = spark.stage().run(spark.rows(), (call, rows) -> {
            byte[] result = new byte[call.state().activeRank() == 1 ? 100 * MEGABYTE : 1];
            result[result.length - 1] = 7;
            return result;
        });

        assertThat(results).extracting(each -> each.length).containsExactly(1, 100 * MEGABYTE, 1);
        assertThat(results.get(1)[100 * MEGABYTE - 1]).isEqualTo((byte) 7);
    }

    @Test
    void resultBeyondTheLimitOfTheDriverFailsTheStage() {
        assertThatThrownBy(() -> spark.stage()
                        .run(
                                spark.rows(),
                                (call, rows) -> new byte[call.state().activeRank() == 1 ? 121 * MEGABYTE : 1]))
                .isInstanceOf(ResilientStageException.class)
                .hasMessageContaining("spark.driver.maxResultSize");
    }

    @Test
    void stagesThatDoNotFitTogetherRunOneAfterTheOther() throws Exception {
        CompletableFuture<List<Long>> first = begin(spark.stage().ranks(2), spark.rows(), summing(STEPS, NONE));
        CompletableFuture<List<Long>> second = begin(spark.stage().ranks(2), spark.rows(), summing(STEPS, NONE));

        assertThat(first.get()).hasSize(2).containsOnly(STEPS * SUM);
        assertThat(second.get()).hasSize(2).containsOnly(STEPS * SUM);
        assertThat(spark.restarts).isEmpty();
    }

    @Test
    void ranksOfACancelledStageLeaveAndTheirExecutorsServeTheNext() throws Exception {
        CompletableFuture<List<Long>> results = begin(spark.stage(), spark.rows(), summing(100_000, NONE));
        journal.awaitLine("(rank 1) has done step 10");
        spark.context.sc().cancelAllJobs();

        assertThatThrownBy(results::get)
                .cause()
                .isInstanceOf(ResilientStageException.class)
                .hasMessageContaining("cancelled");
        Journal next = new Journal(own.resolve("next").toString());
        assertThat(spark.stage().run(spark.rows(), new Summing(next, STEPS, 0, NONE)))
                .hasSize(RANKS)
                .containsOnly(STEPS * SUM);
        long done = journal.find("rank 1 has done step .*").size();
        await().during(Duration.ofSeconds(1))
                .until(() -> journal.find("rank 1 has done step .*").size() == done);
    }

    @Test
    void stageThatNeedsMoreExecutorsThanThereAreIsRefused() {
        assertThatThrownBy(() ->
                        spark.stage().ranks(4).slotWait(Duration.ofSeconds(1)).run(spark.rows(), summing(STEPS, NONE)))
                .isInstanceOf(ResilientStageException.class)
                .hasMessageContaining("needs 4 executors without other tasks, and after 1 s there are 3 of 3");
    }
}
