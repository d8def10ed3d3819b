package dev.resiliency.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class SpentRestartsTest {
    private static final long SECOND = 1_000_000_000L;

    @Test
    void restartsWithoutAWindowCountForEver() {
        SpentRestarts restarts = new SpentRestarts(RestartBudget.of(2));

        assertThat(restarts.grant(0)).isEqualTo(1);
        assertThat(restarts.grant(SECOND)).isEqualTo(2);
        assertThat(restarts.grant(Long.MAX_VALUE / 2)).isZero();
    }

    @Test
    void restartThatLeavesTheWindowMakesRoomForAnother() {
        SpentRestarts restarts = new SpentRestarts(RestartBudget.of(2).within(Duration.ofSeconds(10)));

        assertThat(restarts.grant(0)).isEqualTo(1);
        assertThat(restarts.grant(9 * SECOND)).isEqualTo(2);
        assertThat(restarts.grant(10 * SECOND - 1)).isZero();
        assertThat(restarts.grant(10 * SECOND)).isEqualTo(2);
        assertThat(restarts.grant(11 * SECOND)).isZero();
    }

    @Test
    void budgetOfNoneGrantsNone() {
        assertThat(new SpentRestarts(RestartBudget.of(0)).grant(0)).isZero();
    }

    @Test
    void invalidBudgetsAreRefused() {
        assertThatThrownBy(() -> RestartBudget.of(-1)).hasMessageContaining("maxRestarts is -1");
        assertThatThrownBy(() -> RestartBudget.of(1).within(Duration.ZERO)).hasMessageContaining("window is");
    }
}
