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
    private Measure check(int watched, long silent) {
        return limits.decide(-1000, watched, silent);
    }

    @Test
    void rankThatMakesProgressIsLeftAlone() {
        assertThat(check(0, SOFT - 1)).isEqualTo(NOTHING);
        assertThat(check(0, SOFT - 1)).isEqualTo(NOTHING);
    }

    @Test
    void iterationIsInterruptedAtTheSecondCheckThatFindsItTooSilent() {
        assertThat(check(0, SOFT)).isEqualTo(NOTHING);
        assertThat(check(0, SOFT)).isEqualTo(INTERRUPT);
    }

    @Test
    void progressBetweenTheChecksClearsTheIteration() {
        for (int i = 0; i < 5; i++) {
            assertThat(check(0, SOFT)).isEqualTo(NOTHING);
            assertThat(check(0, 1)).isEqualTo(NOTHING);
        }
    }

    @Test
    void eachIterationIsInterruptedOnce() {
        check(0, SOFT);
        assertThat(check(0, SOFT)).isEqualTo(INTERRUPT);
        assertThat(check(0, SOFT)).isEqualTo(NOTHING);
        assertThat(check(0, 1)).isEqualTo(NOTHING);
        assertThat(check(0, SOFT)).isEqualTo(NOTHING);
        assertThat(check(0, SOFT)).isEqualTo(NOTHING);

        assertThat(check(1, SOFT)).isEqualTo(NOTHING);
        assertThat(check(1, SOFT)).isEqualTo(INTERRUPT);
    }

    @Test
    void iterationIsNotSuspectedForTheOneBefore() {
        check(0, SOFT);

        assertThat(check(1, SOFT)).isEqualTo(NOTHING);
    }

    @Test
    void rankThatWaitsOrHasItsProtectionPausedIsNotInterrupted() {
        for (int i = 0; i < 5; i++) {
            assertThat(check(HeartbeatFile.NONE, HARD - 1)).isEqualTo(NOTHING);
        }
    }

    @Test
    void rankWithoutProgressIsTerminatedInAnyIteration() {
        assertThat(check(HeartbeatFile.NONE, HARD)).isEqualTo(TERMINATE);
    }

    @Test
    void rankThatWasInterruptedAndDoesNotStopIsTerminated() {
        check(0, SOFT);
        assertThat(check(0, SOFT)).isEqualTo(INTERRUPT);
        assertThat(check(0, HARD - 1)).isEqualTo(NOTHING);
        assertThat(check(0, HARD)).isEqualTo(TERMINATE);
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
