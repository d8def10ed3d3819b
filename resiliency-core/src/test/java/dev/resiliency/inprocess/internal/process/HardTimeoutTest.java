package dev.resiliency.inprocess.internal.process;

import static dev.resiliency.inprocess.internal.process.HardTimeout.Decision.KILL;
import static dev.resiliency.inprocess.internal.process.HardTimeout.Decision.NOTHING;
import static dev.resiliency.inprocess.internal.process.HardTimeout.Decision.TERMINATE;
import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.internal.process.HardTimeout.Decision;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Times are nanoseconds, as {@link System#nanoTime} gives them: they may be negative, and may overflow. */
class HardTimeoutTest {
    private static final long LIMIT = 100;
    private static final long GRACE = 10;

    private final HardTimeout timeout = new HardTimeout(Duration.ofNanos(LIMIT), Duration.ofNanos(GRACE));

    private Decision silentFor(long nanos) {
        return timeout.decide(1000, 1000 - nanos, HeartbeatFile.NEVER);
    }

    @Test
    void rankThatMakesProgressIsLeftAlone() {
        assertThat(silentFor(LIMIT - 1)).isEqualTo(NOTHING);
    }

    @Test
    void rankThatMakesNoneIsTerminated() {
        assertThat(silentFor(LIMIT)).isEqualTo(TERMINATE);
    }

    @Test
    void rankThatMakesProgressButDoesNotPingIsTerminated() {
        assertThat(timeout.decide(1000, 1000, 1000 - LIMIT + 1)).isEqualTo(NOTHING);
        assertThat(timeout.decide(1000, 1000, 1000 - LIMIT)).isEqualTo(TERMINATE);
    }

    @Test
    void rankThatWasAskedToEndIsKilledOnceWhenTheGraceTimeIsOver() {
        assertThat(timeout.decide(0, -LIMIT, HeartbeatFile.NEVER)).isEqualTo(TERMINATE);
        assertThat(timeout.decide(GRACE - 1, -LIMIT, HeartbeatFile.NEVER)).isEqualTo(NOTHING);
        assertThat(timeout.decide(GRACE, -LIMIT, HeartbeatFile.NEVER)).isEqualTo(KILL);
        assertThat(timeout.decide(2 * GRACE, -LIMIT, HeartbeatFile.NEVER)).isEqualTo(NOTHING);
    }

    @Test
    void progressAfterTheRankWasAskedToEndComesTooLate() {
        assertThat(silentFor(LIMIT)).isEqualTo(TERMINATE);

        assertThat(timeout.decide(1000 + GRACE, 1000 + GRACE, HeartbeatFile.NEVER))
                .isEqualTo(KILL);
    }

    @Test
    void timesMayOverflow() {
        assertThat(timeout.decide(Long.MIN_VALUE + 1, Long.MAX_VALUE, HeartbeatFile.NEVER))
                .isEqualTo(NOTHING);
        assertThat(timeout.decide(Long.MIN_VALUE + LIMIT, Long.MAX_VALUE, HeartbeatFile.NEVER))
                .isEqualTo(TERMINATE);
    }
}
