package dev.resiliency.inprocess.internal.watch;

import static dev.resiliency.inprocess.internal.watch.HangLimits.Measure.INTERRUPT;
import static dev.resiliency.inprocess.internal.watch.HangLimits.Measure.KILL;
import static dev.resiliency.inprocess.internal.watch.HangLimits.Measure.NOTHING;
import static dev.resiliency.inprocess.internal.watch.HangLimits.Measure.TERMINATE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.internal.watch.HangLimits.Measure;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class HangLimitsTest {
    private static final long SOFT = 60;
    private static final long HARD = 100;
    private static final long GRACE = 10;

    private final HangLimits limits =
            new HangLimits(Duration.ofNanos(SOFT), Duration.ofNanos(HARD), Duration.ofNanos(GRACE));

    /** Decides at a time that may be negative, as {@link System#nanoTime} may be. */
    private Measure look(int watched, long silent) {
        return limits.decide(-1000, watched, silent);
    }

    @Test
    void rankThatMakesProgressIsLeftAlone() {
        assertThat(look(0, SOFT - 1)).isEqualTo(NOTHING);
        assertThat(look(0, SOFT - 1)).isEqualTo(NOTHING);
    }

    @Test
    void iterationIsInterruptedAtTheSecondLookThatFindsItTooSilent() {
        assertThat(look(0, SOFT)).isEqualTo(NOTHING);
        assertThat(look(0, SOFT)).isEqualTo(INTERRUPT);
    }

    @Test
    void progressBetweenTheLooksClearsTheIteration() {
        for (int i = 0; i < 5; i++) {
            assertThat(look(0, SOFT)).isEqualTo(NOTHING);
            assertThat(look(0, 1)).isEqualTo(NOTHING);
        }
    }

    @Test
    void eachIterationIsInterruptedOnce() {
        look(0, SOFT);
        assertThat(look(0, SOFT)).isEqualTo(INTERRUPT);
        assertThat(look(0, SOFT)).isEqualTo(NOTHING);
        assertThat(look(0, 1)).isEqualTo(NOTHING);
        assertThat(look(0, SOFT)).isEqualTo(NOTHING);
        assertThat(look(0, SOFT)).isEqualTo(NOTHING);

        assertThat(look(1, SOFT)).isEqualTo(NOTHING);
        assertThat(look(1, SOFT)).isEqualTo(INTERRUPT);
    }

    @Test
    void iterationIsNotSuspectedForTheOneBefore() {
        look(0, SOFT);

        assertThat(look(1, SOFT)).isEqualTo(NOTHING);
    }

    @Test
    void rankThatWaitsOrHasItsProtectionPausedIsNotInterrupted() {
        for (int i = 0; i < 5; i++) {
            assertThat(look(HeartbeatFile.NONE, HARD - 1)).isEqualTo(NOTHING);
        }
    }

    @Test
    void rankWithoutProgressIsTerminatedInAnyIteration() {
        assertThat(look(HeartbeatFile.NONE, HARD)).isEqualTo(TERMINATE);
    }

    @Test
    void rankThatWasInterruptedAndDoesNotStopIsTerminated() {
        look(0, SOFT);
        assertThat(look(0, SOFT)).isEqualTo(INTERRUPT);
        assertThat(look(0, HARD - 1)).isEqualTo(NOTHING);
        assertThat(look(0, HARD)).isEqualTo(TERMINATE);
    }

    @Test
    void rankThatWasAskedToEndIsKilledOnceWhenTheGraceTimeIsOver() {
        long asked = Long.MAX_VALUE; // the next moment is an overflow away
        assertThat(limits.decide(asked, 0, HARD)).isEqualTo(TERMINATE);
        assertThat(limits.decide(asked + GRACE - 1, 0, HARD)).isEqualTo(NOTHING);
        assertThat(limits.decide(asked + GRACE, 0, HARD)).isEqualTo(KILL);
        assertThat(limits.decide(asked + 2 * GRACE, 0, HARD)).isEqualTo(NOTHING);
    }

    @Test
    void progressAfterTheRankWasAskedToEndComesTooLate() {
        assertThat(limits.decide(0, 0, HARD)).isEqualTo(TERMINATE);

        assertThat(limits.decide(GRACE, 0, 0)).isEqualTo(KILL);
    }
}
