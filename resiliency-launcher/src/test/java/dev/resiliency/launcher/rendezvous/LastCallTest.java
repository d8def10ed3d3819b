package dev.resiliency.launcher.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LastCallTest {
    private static final Duration WAIT = Duration.ofSeconds(5);
    private final LastCall lastCall = new LastCall(4, WAIT);
    private long now = Long.MAX_VALUE - 1;

    private void pass(Duration time) {
        now += time.toNanos();
    }

    @Test
    void tooFewNodesWait() {
        assertThat(lastCall.remaining(1, false, now)).isEmpty();
    }

    @Test
    void asManyAsMayComeBeginAtOnce() {
        assertThat(lastCall.remaining(4, true, now)).contains(Duration.ZERO);
    }

    @Test
    void enoughNodesWaitForMoreOfThemOnce() {
        assertThat(lastCall.remaining(2, true, now)).contains(WAIT);
        pass(Duration.ofSeconds(2));
        assertThat(lastCall.remaining(3, true, now)).contains(Duration.ofSeconds(3));
        pass(Duration.ofSeconds(4));
        assertThat(lastCall.remaining(3, true, now)).contains(Duration.ZERO);
    }

    @Test
    void lossOfANodeBeginsTheWaitAnew() {
        lastCall.remaining(2, true, now);
        pass(Duration.ofSeconds(4));
        assertThat(lastCall.remaining(1, false, now)).isEmpty();
        assertThat(lastCall.remaining(2, true, now)).contains(WAIT);
    }
}
