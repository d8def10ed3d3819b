package dev.resiliency.state.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.state.RecoveryReport.Phases;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class RecoveryClockTest {
    private long now = 1_000;
    private final RecoveryClock clock = new RecoveryClock(() -> now);

    @Test
    void phasesAddUpToTheDuration() {
        now += 10;
        clock.agreed();
        now += 200;
        clock.connecting(Duration.ofNanos(30));
        clock.filled();
        now += 5;

        assertThat(clock.elapsed()).isEqualTo(Duration.ofNanos(215));
        assertThat(clock.phases(clock.elapsed())).isEqualTo(phases(10, 30, 170, 5));
    }

    @Test
    void checkpointAfterAStateThatWasOfNoUseCountsAsFilling() {
        now += 10;
        clock.agreed();
        now += 100;
        clock.filled();
        now += 50;
        clock.filled();
        now += 5;

        assertThat(clock.phases(clock.elapsed())).isEqualTo(phases(10, 0, 150, 5));
    }

    private static Phases phases(long agree, long connect, long fill, long confirm) {
        return new Phases(
                Duration.ofNanos(agree), Duration.ofNanos(connect), Duration.ofNanos(fill), Duration.ofNanos(confirm));
    }
}
