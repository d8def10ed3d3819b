package dev.resiliency.examples.digits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.RestartAbort;
import dev.resiliency.inprocess.State;
import dev.resiliency.state.RecoveryReport;
import dev.resiliency.store.spi.InMemoryStore;
import dev.resiliency.store.spi.PrefixStore;
import dev.resiliency.testing.FakeCallWrapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DigitsTrainingTest {
    private static final TrainingPlan QUICK = new TrainingPlan(300, 256, 64, 0.02f, 0.9f, 100, 20, 42);
    private static final TrainingObserver QUIET = new TrainingObserver() {};
    private static Digits.Split digits;

    private final InMemoryStore store = InMemoryStore.create();
    private final Path directory;
    private final CheckpointFile checkpoint;

    private final List<Long> recovered = new CopyOnWriteArrayList<>();

    private class Recorder implements TrainingObserver {
        @Override
        public void recovered(RecoveryReport report) {
            recovered.add(report.step());
        }
    }

    @BeforeAll
    static void load() throws IOException {
        digits = Digits.load();
    }

    DigitsTrainingTest(@TempDir Path directory) {
        this.directory = directory;
        checkpoint = new CheckpointFile(directory.resolve("checkpoint"));
    }

    @AfterEach
    void tearDown() {
        store.close();
    }

    @Test
    void everyFifthOfAllDigitsIsHeldOut() {
        assertThat(digits.training().size()).isEqualTo(1437);
        assertThat(digits.heldOut().size()).isEqualTo(360);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void learnsTheDigitsAndAllRanksAgree(int worldSize) throws Exception {
        List<Double> accuracies = Ranks.run(worldSize, rank -> training(QUIET).call(call(rank, worldSize, 0)));

        assertThat(accuracies).hasSize(worldSize).allMatch(accuracy -> accuracy >= 0.95);
        assertThat(accuracies).containsOnly(accuracies.get(0));
    }

    @Test
    void continuesFromTheCheckpointWithFewerRanks() throws Exception {
        TrainingObserver failsOnce = new Recorder() {
            private boolean failed;

            @Override
            public void stepStarts(CallWrapper call, int step) throws IOException {
                if (step == 250 && !failed) {
                    failed = true;
                    throw new IOException("injected");
                }
            }
        };
        DigitsTraining training = training(failsOnce);
        List<FutureTask<Double>> first =
                Ranks.start(2, rank -> (rank == 0 ? training : training(QUIET)).call(call(rank, 2, 0)));
        assertThat(Ranks.failureOf(first.get(0))).hasMessage("injected");
        assertThat(Ranks.failureOf(first.get(1))).hasMessageContaining("rank 0");

        Double accuracy = training.call(call(0, 1, 1));

        assertThat(recovered).containsExactly(0L, 200L);
        assertThat(accuracy).isGreaterThanOrEqualTo(0.95);
    }

    @Test
    void abortEndsTheRanksThatWaitForAStuckOne() throws Exception {
        CountDownLatch inStep = new CountDownLatch(2);
        CountDownLatch release = new CountDownLatch(1);
        TrainingObserver getsStuck = new TrainingObserver() {
            @Override
            public void stepStarts(CallWrapper call, int step) throws InterruptedException {
                if (step == 10) {
                    inStep.countDown();
                    if (call.state().rank() == 1) {
                        release.await();
                    }
                }
            }
        };
        List<FakeCallWrapper> calls = List.of(call(0, 2, 0), call(1, 2, 0));
        List<FutureTask<Double>> ranks =
                Ranks.start(2, rank -> training(getsStuck).call(calls.get(rank)));
        inStep.await();

        calls.get(0).restart();

        assertThat(Ranks.failureOf(ranks.get(0))).hasMessageContaining("the ring was closed");
        release.countDown();
    }

    @Test
    void ranksWithDifferentCheckpointsLeave() throws Exception {
        training(QUIET).call(call(0, 1, 0)); // saves a checkpoint, where only rank 0 will find it
        CheckpointFile none = new CheckpointFile(directory.resolve("none"));

        List<FutureTask<Double>> ranks = Ranks.start(
                2,
                rank -> (rank == 0 ? training(QUIET) : new DigitsTraining(QUICK, digits, none, QUIET))
                        .call(call(rank, 2, 1)));

        assertThat(Ranks.failureOf(ranks.get(1)))
                .isInstanceOf(RestartAbort.class)
                .hasMessageContaining(
                        "this rank has read step 0 from the checkpoint, but the state differs on ranks {1}");
        assertThat(Ranks.failureOf(ranks.get(0))).isInstanceOf(RestartAbort.class);
    }

    /** As if the rank that was to save it had been lost. */
    @Test
    void lastCheckpointIsSavedThoughNoStepIsLeft() throws Exception {
        FakeCallWrapper first = call(0, 1, 0);
        training(QUIET).call(first);
        Files.delete(directory.resolve("checkpoint"));

        training(new Recorder()).call(first.next(state(0, 1, 1), new PrefixStore("1/", store)));

        assertThat(recovered).containsExactly(300L);
        assertThat(checkpoint.step()).isEqualTo(300);
    }

    @Test
    void corruptCheckpointEndsTheJobInsteadOfRestartingForever() throws Exception {
        Files.writeString(directory.resolve("checkpoint"), "torn");

        assertThatThrownBy(() -> training(QUIET).call(call(0, 1, 0)))
                .isInstanceOf(RestartAbort.class)
                .hasMessageContaining("truncated");
    }

    private DigitsTraining training(TrainingObserver observer) {
        return new DigitsTraining(QUICK, digits, checkpoint, observer);
    }

    private FakeCallWrapper call(int rank, int worldSize, int iteration) {
        return new FakeCallWrapper(state(rank, worldSize, iteration), new PrefixStore(iteration + "/", store));
    }

    private static State state(int rank, int worldSize, int iteration) {
        return new State(rank, worldSize, rank, worldSize, State.Mode.ACTIVE, rank, worldSize, iteration);
    }
}
