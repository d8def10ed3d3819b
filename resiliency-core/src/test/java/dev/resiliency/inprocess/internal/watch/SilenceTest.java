package dev.resiliency.inprocess.internal.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What the monitor process holds against a rank, and what not: silences, and how late its own looks are. */
class SilenceTest {
    private static final long START = 1000;

    private final Silence silence = new Silence(START);

    @Test
    void silenceBeginsWithTheLastStamp() {
        assertThat(silence.at(START + 50, 0, START + 20)).isEqualTo(30);
        assertThat(silence.at(START + 60, 0, START + 20)).isEqualTo(40);
        assertThat(silence.at(START + 70, 0, START + 65)).isEqualTo(5);
    }

    @Test
    void stampFromBeforeTheStartCountsFromTheStartOn() {
        assertThat(silence.at(START + 50, 0, START - 500)).isEqualTo(50);
    }

    @Test
    void heartbeatThatIsNotInUseIsNeverSilent() {
        assertThat(silence.at(START + 50, 0, HeartbeatFile.NEVER)).isZero();
        assertThat(silence.at(START + 60, 0, START + 50)).isEqualTo(10);
    }

    @Test
    void timeThatTheLookWasLateDoesNotCount() {
        assertThat(silence.at(START + 50, 0, START + 20)).isEqualTo(30);
        assertThat(silence.at(START + 150, 90, START + 20)).isEqualTo(40);
    }

    @Test
    void silenceIsNeverNegative() {
        assertThat(silence.at(START + 50, 60, START + 45)).isZero();
        assertThat(silence.at(START + 60, 0, START + 70))
                .as("stamped after the clock was read")
                .isZero();
    }

    @Test
    void timesMayOverflow() {
        Silence late = new Silence(Long.MAX_VALUE - 10);
        assertThat(late.at(Long.MIN_VALUE + 9, 0, Long.MAX_VALUE - 10)).isEqualTo(20);
        assertThat(late.at(Long.MIN_VALUE + 9, 0, Long.MAX_VALUE)).isEqualTo(10);
    }

    @Test
    void lookInTimeIsNotLate() {
        Lateness lateness = new Lateness(START, Duration.ofNanos(10), Duration.ofNanos(400));

        assertThat(lateness.at(START + 20))
                .as("a twentieth of the limit counts")
                .isZero();
        assertThat(lateness.at(START + 41)).isEqualTo(1);
        assertThat(lateness.at(START + 141)).isEqualTo(80);
        assertThat(lateness.at(START + 151)).isZero();
    }

    @Test
    void looksAreNotDueMoreOftenThanTheirInterval() {
        Lateness lateness = new Lateness(START, Duration.ofNanos(100), Duration.ofNanos(400));

        assertThat(lateness.at(START + 100)).isZero();
        assertThat(lateness.at(START + 210)).isEqualTo(10);
    }

    @Test
    void hardTimeoutIsReachedOnAHostOnWhichEveryLookIsLate() {
        assertThat(untilTerminated(Duration.ofMillis(50), Duration.ofMillis(1200), Duration.ofSeconds(60)))
                .isLessThan(Duration.ofSeconds(92));
        assertThat(untilTerminated(Duration.ofMillis(50), Duration.ofMillis(1200), Duration.ofSeconds(1)))
                .as("at most twenty looks per soft timeout")
                .isLessThan(Duration.ofMillis(1200 * 32));
        assertThat(untilTerminated(Duration.ofSeconds(1), Duration.ofMinutes(1), Duration.ofSeconds(60)))
                .as("a look a minute")
                .isLessThan(Duration.ofMinutes(32));
    }

    /** How long a rank that never leaves a stamp lives, with a hard timeout that is half as long again as the soft one. */
    private static Duration untilTerminated(Duration interval, Duration between, Duration softTimeout) {
        Duration hardTimeout = softTimeout.multipliedBy(3).dividedBy(2);
        Lateness lateness = new Lateness(START, interval, softTimeout);
        Silence silence = new Silence(START);
        HangLimits limits = new HangLimits(softTimeout, hardTimeout, Duration.ZERO);
        for (int looks = 1; looks < 1000; looks++) {
            long now = START + looks * between.toNanos();
            long silent = silence.at(now, lateness.at(now), START);
            if (limits.decide(now, HeartbeatFile.NONE, silent) == HangLimits.Decision.TERMINATE) {
                return Duration.ofNanos(now - START);
            }
        }
        throw new AssertionError("the rank lives for ever");
    }

    @Test
    void rankOfAHostThatSleptIsLeftAloneWhenBothWakeUp() {
        Duration softTimeout = Duration.ofSeconds(60);
        Lateness lateness = new Lateness(START, Duration.ofSeconds(1), softTimeout);
        HangLimits limits = new HangLimits(softTimeout, Duration.ofSeconds(90), Duration.ZERO);
        long now = START + Duration.ofHours(8).toNanos();

        long silent = silence.at(now, lateness.at(now), START);

        assertThat(silent).isEqualTo(Duration.ofSeconds(3).toNanos());
        assertThat(limits.decide(now, 0, silent)).isEqualTo(HangLimits.Decision.NOTHING);
    }
}
