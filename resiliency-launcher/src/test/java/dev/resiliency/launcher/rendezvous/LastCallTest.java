package dev.resiliency.launcher.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LastCallTest {
    private static final Duration WAIT = Duration.ofSeconds(5);
    private final LastCall lastCall = new LastCall(2, 4, WAIT);
    private long now = Long.MAX_VALUE - 1;

    private void pass(Duration time) {
        now += time.toNanos();
    }

    @Test
    void tooFewNodesWait() {
        assertThat(lastCall.remaining(1, now)).isEmpty();
    }

    @Test
    void asManyAsMayComeBeginAtOnce() {
        assertThat(lastCall.remaining(4, now)).contains(Duration.ZERO);
    }

    @Test
    void enoughNodesWaitForMoreOfThemOnce() {
        assertThat(lastCall.remaining(2, now)).contains(WAIT);
        pass(Duration.ofSeconds(2));
        assertThat(lastCall.remaining(3, now)).contains(Duration.ofSeconds(3));
        pass(Duration.ofSeconds(4));
        assertThat(lastCall.remaining(3, now)).contains(Duration.ZERO);
    }

    @Test
    void lossOfANodeBeginsTheWaitAnew() {
        lastCall.remaining(2, now);
        pass(Duration.ofSeconds(4));
        assertThat(lastCall.remaining(1, now)).isEmpty();
        assertThat(lastCall.remaining(2, now)).contains(WAIT);
    }
}
