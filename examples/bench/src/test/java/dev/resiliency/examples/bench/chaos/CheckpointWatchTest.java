package dev.resiliency.examples.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.state.RecoveryReport.Source;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CheckpointWatchTest {
    private final CheckpointWatch watch = new CheckpointWatch();

    private Optional<String> saved(int iteration, int step) {
        return watch.saved(new ChaosEvent.Saved(iteration, step, 0));
    }

    private Optional<String> restored(int iteration, int step) {
        return restored(iteration, step, Source.CHECKPOINT);
    }

    private Optional<String> restored(int iteration, int step, Source source) {
        return watch.restored(new ChaosEvent.Restored(iteration, step, source, 2, -1, -1, 0));
    }

    @Test
    void stepsThatOnlyGrowAreFine() {
        assertThat(restored(0, 0)).isEmpty();
        assertThat(saved(0, 10)).isEmpty();
        assertThat(restored(1, 10)).isEmpty();
        assertThat(restored(1, 10)).isEmpty();
        assertThat(saved(1, 20)).isEmpty();
        assertThat(watch.highest()).isEqualTo(20);
    }

    @Test
    void savedStepWithoutAReportMayBeRestored() {
        assertThat(saved(0, 10)).isEmpty();
        assertThat(restored(1, 30)).isEmpty();
        assertThat(watch.highest()).isEqualTo(30);
    }

    @Test
    void stepBelowASavedOneIsNoticed() {
        saved(0, 20);

        assertThat(restored(1, 10))
                .hasValue("the checkpoint went back: step 20 was saved in iteration 0, but iteration 1 resumes from"
                        + " step 10");
    }

    @Test
    void itIsNoticedEvenIfTheSaveIsReportedLater() {
        assertThat(restored(2, 10)).isEmpty();

        assertThat(saved(1, 20)).isPresent();
    }

    @Test
    void ranksThatResumeFromDifferentStepsAreNoticed() {
        assertThat(restored(1, 10)).isEmpty();

        assertThat(restored(1, 20)).hasValue("in iteration 1 one rank resumes from step 10, another one from step 20");
    }

    @Test
    void stateInMemoryMayBeFurtherThanTheCheckpoint() {
        assertThat(saved(0, 20)).isEmpty();
        assertThat(restored(1, 27, Source.MEMORY)).isEmpty();
        assertThat(restored(100, 20)).isEmpty();
        assertThat(watch.highest()).isEqualTo(20);
        assertThat(watch.furthest()).isEqualTo(27);
    }
}
