package dev.resiliency.launcher.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class ProgressTest {
    private String text = "";

    private String restartAt(long highest) {
        text = Progress.next(text, OptionalLong.of(highest), "n0.0");
        return Progress.problem(text, 3);
    }

    @Test
    void jobThatReachesHigherStepsMayRestartAsOftenAsItsBudgetAllows() {
        for (int step = 0; step < 50; step++) {
            assertThat(restartAt(step)).isEmpty();
        }
    }

    @Test
    void jobThatReachesNoHigherStepInThreeRestartsIsStuck() {
        restartAt(100);
        assertThat(restartAt(100)).isEmpty();
        assertThat(restartAt(90)).isEmpty();
        assertThat(restartAt(100))
                .isEqualTo("the job makes no progress: 3 restarts in a row, and no step higher than 100");
    }

    @Test
    void ranksThatFailTogetherAreOneRestart() {
        for (int rank = 0; rank < 8; rank++) {
            text = Progress.next(text, OptionalLong.of(100), "n0." + rank);
            assertThat(Progress.problem(text, 1)).isEmpty();
        }
        text = Progress.next(text, OptionalLong.of(100), "n0.3");
        assertThat(Progress.problem(text, 1)).contains("1 restarts in a row");
    }

    @Test
    void oneHigherStepIsProgress() {
        restartAt(100);
        restartAt(100);
        restartAt(100);
        assertThat(restartAt(101)).isEmpty();
        restartAt(101);
        assertThat(restartAt(101)).isEmpty();
    }

    @Test
    void jobWithoutStepsAndOneWithoutLimitAreNeverStuck() {
        assertThat(Progress.next("", OptionalLong.empty(), "job")).isEmpty();
        for (int restarts = 0; restarts < 10; restarts++) {
            restartAt(5);
        }
        assertThat(Progress.problem(text, 0)).isEmpty();
    }
}
