package dev.resiliency.examples.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.state.RecoveryReport.Source;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StepWatchTest {
    private final StepWatch watch = new StepWatch();

    /** One of two ranks. */
    private List<String> recovered(int iteration, int step, Source source, int held, int heldIn) {
        return watch.recovered("number 3", new ChaosEvent.Restored(iteration, step, source, 2, held, heldIn, 0));
    }

    @Test
    void rankThatWasAStepBehindIsBroughtForward() {
        assertThat(recovered(1, 12, Source.MEMORY, 12, 0)).isEmpty();
        assertThat(recovered(1, 12, Source.PEERS, 11, 0)).isEmpty();
        assertThat(watch.counts()).isEqualTo(Map.of(Source.MEMORY, 1, Source.PEERS, 1));
    }

    @Test
    void stepThatWasHeldAndIsRepeatedIsNoticed() {
        assertThat(recovered(1, 11, Source.MEMORY, 12, 0))
                .containsExactly(
                        "in iteration 1, number 3 resumes from step 11 (MEMORY), though it had completed step 12:"
                                + " steps are repeated");
        assertThat(recovered(1, 10, Source.CHECKPOINT, 12, 0)).hasSize(1);
    }

    @Test
    void stepThatNobodyHasCompletedIsNoticedOnceAllHaveReported() {
        assertThat(recovered(1, 14, Source.PEERS, 12, 0)).isEmpty();
        assertThat(recovered(1, 14, Source.PEERS, 11, 0))
                .containsExactly(
                        "iteration 1 resumes from step 14, but no process has completed more than step 12: steps"
                                + " are skipped");
    }

    @Test
    void oneThatIsGoneMayHaveHeldOneStepMore() {
        assertThat(recovered(1, 13, Source.PEERS, 12, 0)).isEmpty();
        assertThat(recovered(1, 13, Source.PEERS, 12, 0)).isEmpty();
    }

    @Test
    void whatAReserveHeldBeforeTheOthersReadACheckpointDoesNotCount() {
        recovered(2, 10, Source.CHECKPOINT, -1, -1);
        recovered(2, 10, Source.CHECKPOINT, -1, -1);

        assertThat(recovered(3, 12, Source.PEERS, 20, 0)).isEmpty();
        assertThat(recovered(3, 12, Source.MEMORY, 12, 2)).isEmpty();
    }
}
