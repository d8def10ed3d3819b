package dev.resiliency.launcher.log.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LingerTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private long now = Long.MAX_VALUE - Duration.ofSeconds(5).toNanos(); // the clock may overflow
    private final Linger lastWords = new Linger(7, () -> now);

    private void pass(Duration time) {
        now += time.toNanos();
    }

    @Test
    void endsAfterStandstill() {
        assertThat(lastWords.left(7)).isEqualTo(Linger.STANDSTILL);
        pass(Linger.STANDSTILL.minus(SECOND));
        assertThat(lastWords.left(7)).isEqualTo(SECOND);
        pass(SECOND);
        assertThat(lastWords.left(7)).isZero();
    }

    @Test
    void goesOnAsLongAsLinesArrive() {
        for (int line = 8; line < 11; line++) {
            pass(Linger.STANDSTILL.minus(SECOND));
            assertThat(lastWords.left(line)).isEqualTo(Linger.STANDSTILL);
        }
        pass(Linger.STANDSTILL);
        assertThat(lastWords.left(10)).isZero();
    }

    @Test
    void strangersAreWaitedForOnlyUntilANodeWouldHaveProvedItself() {
        assertThat(lastWords.mayCome(7, 0, 0, 0)).isFalse();
        assertThat(lastWords.mayCome(7, 0, 0, 2)).isTrue();
        pass(Linger.MOMENT);
        assertThat(lastWords.mayCome(7, 0, 0, 2)).isFalse();
        assertThat(lastWords.mayCome(7, 1, 0, 2)).isTrue();
        pass(Linger.STANDSTILL.minus(Linger.MOMENT));
        assertThat(lastWords.mayCome(7, 1, 0, 2)).isFalse();
    }

    @Test
    void nodesThatHaveSentNothingYetAreGivenTimeToConnect() {
        assertThat(lastWords.mayCome(7, 0, 1, 0)).isTrue();
        pass(Linger.ARRIVAL.minus(SECOND));
        assertThat(lastWords.mayCome(7, 0, 1, 0)).isTrue();
        assertThat(lastWords.mayCome(7, 0, 0, 0)).as("once all have").isFalse();
        pass(SECOND);
        assertThat(lastWords.mayCome(7, 0, 1, 0)).isFalse();
    }

    @Test
    void doesNotGoOnForEver() {
        Duration passed = Duration.ZERO;
        for (int line = 8; passed.compareTo(Linger.LIMIT) < 0; line++) {
            assertThat(lastWords.left(line)).isPositive();
            pass(SECOND);
            passed = passed.plus(SECOND);
        }
        assertThat(lastWords.left(0)).isZero();
    }
}
