package dev.resiliency.examples.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.state.RecoveryReport.Source;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StateWatchTest {
    private final StateWatch watch = new StateWatch();

    private List<String> saved(int iteration, int step) {
        return watch.saved(new ChaosEvent.Saved(iteration, step, 0));
    }

    private List<String> read(int iteration, int step) {
        return restored(iteration, step, Source.CHECKPOINT, -1, -1);
    }

    /** One of two ranks. */
    private List<String> restored(int iteration, int step, Source source, int held, int heldIn) {
        return watch.restored("number 3", new ChaosEvent.Restored(iteration, step, source, 2, held, heldIn, 0));
    }

    @Test
    void stepsThatOnlyGrowAreFine() {
        assertThat(read(0, 0)).isEmpty();
        assertThat(saved(0, 10)).isEmpty();
        assertThat(read(1, 10)).isEmpty();
        assertThat(read(1, 10)).isEmpty();
        assertThat(saved(1, 20)).isEmpty();
        assertThat(watch.saved()).isEqualTo(20);
    }

    @Test
    void savedStepWithoutAReportMayBeRestored() {
        assertThat(saved(0, 10)).isEmpty();
        assertThat(read(1, 30)).isEmpty();
        assertThat(watch.saved()).isEqualTo(30);
    }

    @Test
    void stepBelowASavedOneIsNoticed() {
        saved(0, 20);

        assertThat(read(1, 10))
                .containsExactly(
                        "the checkpoint went back: step 20 was saved in iteration 0, but iteration 1 resumes from"
                                + " step 10");
    }

    @Test
    void itIsNoticedEvenIfTheSaveOrTheEarlierRecoveryIsReportedLater() {
        assertThat(read(2, 10)).isEmpty();

        assertThat(saved(1, 20)).hasSize(1);
        assertThat(read(0, 15)).hasSize(1);
    }

    @Test
    void ranksThatResumeFromDifferentStepsAreNoticed() {
        assertThat(read(1, 10)).isEmpty();

        assertThat(read(1, 20))
                .containsExactly("in iteration 1 one rank resumes from step 10, another one from step 20");
    }

    @Test
    void stateInMemoryMayBeFurtherThanTheCheckpoint() {
        assertThat(saved(0, 20)).isEmpty();
        assertThat(restored(1, 27, Source.MEMORY, 27, 0)).isEmpty();
        assertThat(read(100, 20)).isEmpty();
        assertThat(watch.saved()).isEqualTo(20);
        assertThat(watch.furthest()).isEqualTo(27);
    }

    @Test
    void rankThatWasAStepBehindIsBroughtForward() {
        assertThat(restored(1, 12, Source.MEMORY, 12, 0)).isEmpty();
        assertThat(restored(1, 12, Source.PEERS, 11, 0)).isEmpty();
        assertThat(watch.counts()).isEqualTo(Map.of(Source.MEMORY, 1, Source.PEERS, 1));
    }

    @Test
    void stepThatWasHeldAndIsRepeatedIsNoticed() {
        assertThat(restored(1, 11, Source.MEMORY, 12, 0))
                .containsExactly(
                        "in iteration 1, number 3 resumes from step 11 (MEMORY), though it had completed step 12:"
                                + " steps are repeated");
        assertThat(restored(2, 10, Source.CHECKPOINT, 12, 0)).hasSize(1);
    }

    @Test
    void stepThatNobodyHasCompletedIsNoticedOnceAllHaveReported() {
        assertThat(restored(1, 14, Source.PEERS, 12, 0)).isEmpty();
        assertThat(restored(1, 14, Source.PEERS, 11, 0))
                .containsExactly(
                        "iteration 1 resumes from step 14, but no process has completed more than step 12: steps"
                                + " are skipped");
    }

    @Test
    void oneThatIsGoneMayHaveHeldOneStepMore() {
        assertThat(restored(1, 13, Source.PEERS, 12, 0)).isEmpty();
        assertThat(restored(1, 13, Source.PEERS, 12, 0)).isEmpty();
    }

    @Test
    void whatAReserveHeldBeforeTheOthersReadACheckpointDoesNotCount() {
        read(2, 10);
        read(2, 10);

        assertThat(restored(3, 12, Source.PEERS, 20, 0)).isEmpty();
        assertThat(restored(3, 12, Source.MEMORY, 12, 2)).isEmpty();
    }
}
