package dev.resiliency.inprocess.internal.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.internal.loop.BackOff.Attempt;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class BackOffTest {
    private final BackOff backOff = new BackOff(Duration.ofMinutes(2));

    private static Attempt attempt(long step, long pings, Duration lasted) {
        return new Attempt(step, pings, lasted);
    }

    private static Attempt atOnce() {
        return attempt(-1, 0, Duration.ofMillis(5));
    }

    private Duration afterFailureAtOnce() {
        return backOff.after(true, atOnce());
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
    void attemptThatComesFurtherResetsTheCount() {
        failUntilItPauses();

        assertThat(backOff.after(true, attempt(0, 1, Duration.ofMillis(5)))).isZero();

        assertThat(afterFailureAtOnce()).isZero();
    }

    @Test
    void longAttemptOfAFunctionThatNeverPingsResetsTheCount() {
        failUntilItPauses();

        assertThat(backOff.after(true, attempt(-1, 0, BackOff.AT_ONCE))).isZero();

        assertThat(afterFailureAtOnce()).isZero();
    }

    @Test
    void functionThatPingsMoreOftenEachTimeButFailsAtOncePauses() {
        assertThat(LongStream.rangeClosed(1, 5)
                        .map(pings -> backOff.after(true, attempt(-1, pings, Duration.ofMillis(5)))
                                .toMillis()))
                .containsExactly(0L, 0L, 0L, 100L, 200L);
    }

    @Test
    void longAttemptThatPingsMoreOftenResetsTheCount() {
        failUntilItPauses();

        assertThat(backOff.after(true, attempt(-1, 1, BackOff.AT_ONCE))).isZero();
        assertThat(backOff.after(true, attempt(-1, 2, BackOff.AT_ONCE))).isZero();

        assertThat(backOff.failuresInARow()).isZero();
    }

    @Test
    void pingAtTheTopOfTheFunctionIsNoProgressFromAttemptToAttempt() {
        backOff.after(true, attempt(-1, 101, Duration.ofSeconds(10)));

        assertThat(LongStream.generate(() -> backOff.after(true, attempt(-1, 1, Duration.ofMillis(5)))
                                .toMillis())
                        .limit(5))
                .containsExactly(0L, 0L, 0L, 100L, 200L);
    }

    @Test
    void functionThatBeginsAtTheSameStepPausesHoweverOftenItPings() {
        Duration pause = Duration.ZERO;
        for (int pings = 1; pings <= 5; pings++) {
            pause = backOff.after(true, attempt(600, pings * 100L, Duration.ofMinutes(1)));
        }

        assertThat(pause).isEqualTo(BackOff.FIRST_PAUSE);
    }

    @Test
    void functionThatBeginsAStepFurtherEachTimeDoesNotPause() {
        for (int step = 0; step < 100; step++) {
            assertThat(backOff.after(true, attempt(step, 1, Duration.ofMillis(5))))
                    .isZero();
        }
    }

    @Test
    void functionThatGoesBackToAnOlderCheckpointIsComparedWithThatFromThenOn() {
        backOff.after(true, attempt(600, 1, Duration.ofMinutes(1)));

        backOff.after(true, attempt(0, 1, Duration.ofMinutes(1)));
        assertThat(backOff.failuresInARow()).as("it has gone back").isOne();

        backOff.after(true, attempt(100, 1, Duration.ofMinutes(1)));
        assertThat(backOff.failuresInARow()).as("it comes further again").isZero();
    }

    @Test
    void iterationThatAnotherRankCutShortNeitherPausesNorCounts() {
        failUntilItPauses();
        int before = backOff.failuresInARow();

        assertThat(backOff.after(false, atOnce())).isZero();

        assertThat(backOff.failuresInARow()).isEqualTo(before);
    }

    @Test
    void classesThatDoNotFitTogetherAreGivenUpWhereOtherFaultsBeginToPause() {
        LinkageError broken = new NoSuchMethodError("'void train.Ring.connect()'");
        for (int failures = 0; failures < BackOff.FREE; failures++) {
            afterFailureAtOnce();
            assertThat(backOff.isInVain(broken)).isFalse();
        }

        afterFailureAtOnce();

        assertThat(backOff.isInVain(broken)).isTrue();
        assertThat(backOff.isInVain(new ExecutionException(broken))).isTrue();
        assertThat(backOff.isInVain(new IllegalStateException("loss is NaN"))).isFalse();
        assertThat(backOff.isInVain(null)).isFalse();
    }

    @Test
    void pauseTakesAtMostHalfOfTheBarrierTimeout() {
        BackOff hasty = new BackOff(Duration.ofMillis(300));
        for (int i = 0; i < 20; i++) {
            assertThat(hasty.after(true, atOnce())).isLessThanOrEqualTo(Duration.ofMillis(150));
        }
        assertThat(hasty.after(true, atOnce())).isEqualTo(Duration.ofMillis(150));
    }

    @Test
    void stepZeroIsAStep() {
        backOff.after(true, attempt(0, 0, Duration.ofMillis(5)));
        assertThat(backOff.failuresInARow()).as("it has come to a step").isZero();

        backOff.after(true, attempt(-1, 500, Duration.ofMinutes(1)));
        assertThat(backOff.failuresInARow()).as("it has not come as far").isOne();
    }
}
