package dev.resiliency.inprocess.internal.loop;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BackOffTest {
    private final BackOff backOff = new BackOff(Duration.ofMinutes(2));

    private Duration afterFailureAtOnce() {
        return backOff.after(true, false, Duration.ofMillis(5));
    }

    private void failUntilItPauses() {
        for (int failures = 0; failures < BackOff.FREE; failures++) {
            assertThat(afterFailureAtOnce()).isZero();
        }
        assertThat(afterFailureAtOnce()).isPositive();
    }

    @Test
    void fourthImmediateFailureInARowPausesAndEachLaterOneTwiceAsLong() {
        assertThat(LongStream.generate(() -> afterFailureAtOnce().toMillis()).limit(11))
                .containsExactly(0L, 0L, 0L, 100L, 200L, 400L, 800L, 1600L, 3200L, 5000L, 5000L);
    }

    @Test
    void pauseStaysTheSameHoweverOftenTheFunctionFails() {
        for (int i = 0; i < 1000; i++) {
            assertThat(afterFailureAtOnce()).isLessThanOrEqualTo(BackOff.LONGEST_PAUSE);
        }
        assertThat(afterFailureAtOnce()).isEqualTo(BackOff.LONGEST_PAUSE);
    }

    @Test
    void pingResetsTheCount() {
        failUntilItPauses();

        assertThat(backOff.after(true, true, Duration.ofMillis(5))).isZero();

        assertThat(afterFailureAtOnce()).isZero();
    }

    @Test
    void longIterationResetsTheCount() {
        failUntilItPauses();

        assertThat(backOff.after(true, false, BackOff.AT_ONCE)).isZero();

        assertThat(afterFailureAtOnce()).isZero();
    }

    @Test
    void iterationThatAnotherRankCutShortNeitherPausesNorCounts() {
        failUntilItPauses();
        int before = backOff.failuresInARow();

        assertThat(backOff.after(false, false, Duration.ofMillis(5))).isZero();

        assertThat(backOff.failuresInARow()).isEqualTo(before);
    }

    @Test
    void pauseTakesAtMostHalfOfTheBarrierTimeout() {
        BackOff hasty = new BackOff(Duration.ofMillis(300));
        for (int i = 0; i < 20; i++) {
            assertThat(hasty.after(true, false, Duration.ZERO)).isLessThanOrEqualTo(Duration.ofMillis(150));
        }
        assertThat(hasty.after(true, false, Duration.ZERO)).isEqualTo(Duration.ofMillis(150));
    }
}
