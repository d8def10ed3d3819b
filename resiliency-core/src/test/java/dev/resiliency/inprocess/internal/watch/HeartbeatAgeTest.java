package dev.resiliency.inprocess.internal.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/**
 * The age of heartbeats as judged by the watchdog and the monitor process: without the time in which they did not run.
 */
class HeartbeatAgeTest {
    private static final long START = 1000;

    private final HeartbeatAge age = new HeartbeatAge(START);

    @Test
    void ageCountsFromTheLastBeat() {
        age.beat(START + 20);
        assertThat(age.at(START + 50)).isEqualTo(30);
        assertThat(age.at(START + 60)).isEqualTo(40);

        age.beat(START + 65);
        assertThat(age.at(START + 70)).isEqualTo(5);
    }

    @Test
    void beatFromBeforeTheStartChangesNothing() {
        age.beat(START - 500);

        assertThat(age.at(START + 50)).isEqualTo(50);
    }

    @Test
    void pauseOfTheObserverDoesNotCount() {
        age.beat(START + 20);
        age.discount(90);

        assertThat(age.at(START + 150)).isEqualTo(40);
    }

    @Test
    void ageIsNeverNegative() {
        age.beat(START + 70);

        assertThat(age.at(START + 60)).as("it beat after the clock was read").isZero();
    }

    @Test
    void timesMayOverflow() {
        HeartbeatAge late = new HeartbeatAge(Long.MAX_VALUE - 10);
        assertThat(late.at(Long.MIN_VALUE + 9)).isEqualTo(20);

        late.beat(Long.MAX_VALUE);
        assertThat(late.at(Long.MIN_VALUE + 9)).isEqualTo(10);
    }

    @Test
    void checkInTimeFindsNoPause() {
        PauseDetector pauses = new PauseDetector(START, Duration.ofNanos(10), Duration.ofNanos(400));

        assertThat(pauses.check(START + 20))
                .as("a twentieth of the limit counts")
                .isZero();
        assertThat(pauses.check(START + 41)).isEqualTo(1);
        assertThat(pauses.check(START + 141)).isEqualTo(80);
        assertThat(pauses.check(START + 151)).isZero();
    }

    @Test
    void checksAreNotDueMoreOftenThanTheirInterval() {
        PauseDetector pauses = new PauseDetector(START, Duration.ofNanos(100), Duration.ofNanos(400));

        assertThat(pauses.check(START + 100)).isZero();
        assertThat(pauses.check(START + 210)).isEqualTo(10);
    }

    @Test
    void hardTimeoutIsReachedOnAHostOnWhichEveryCheckIsLate() {
        assertThat(untilTerminated(Duration.ofMillis(50), Duration.ofMillis(1200), Duration.ofSeconds(60)))
                .isLessThan(Duration.ofSeconds(92));
        assertThat(untilTerminated(Duration.ofMillis(50), Duration.ofMillis(1200), Duration.ofSeconds(1)))
                .as("at most twenty checks per soft timeout")
                .isLessThan(Duration.ofMillis(1200 * 32));
        assertThat(untilTerminated(Duration.ofSeconds(1), Duration.ofMinutes(1), Duration.ofSeconds(60)))
                .as("a check a minute")
                .isLessThan(Duration.ofMinutes(32));
    }

    /**
     * Returns how long a rank without heartbeats survives, with a hard timeout of one and a half times the soft one.
     */
    private static Duration untilTerminated(Duration interval, Duration between, Duration softTimeout) {
        Duration hardTimeout = softTimeout.multipliedBy(3).dividedBy(2);
        PauseDetector pauses = new PauseDetector(START, interval, softTimeout);
        HeartbeatAge age = new HeartbeatAge(START);
        HangLimits limits = new HangLimits(softTimeout, hardTimeout, Duration.ZERO);
        for (int checks = 1; checks < 1000; checks++) {
            long now = START + checks * between.toNanos();
            age.discount(pauses.check(now));
            if (limits.decide(now, HeartbeatFile.NONE, age.at(now)) == HangLimits.Measure.TERMINATE) {
                return Duration.ofNanos(now - START);
            }
        }
        throw new AssertionError("the rank lives forever");
    }

    @Test
    void rankOfAHostThatSleptIsLeftAloneWhenBothWakeUp() {
        Duration softTimeout = Duration.ofSeconds(60);
        PauseDetector pauses = new PauseDetector(START, Duration.ofSeconds(1), softTimeout);
        HangLimits limits = new HangLimits(softTimeout, Duration.ofSeconds(90), Duration.ZERO);
        long now = START + Duration.ofHours(8).toNanos();

        age.discount(pauses.check(now));

        assertThat(age.at(now)).isEqualTo(Duration.ofSeconds(3).toNanos());
        assertThat(limits.decide(now, 0, age.at(now))).isEqualTo(HangLimits.Measure.NOTHING);
    }
}
