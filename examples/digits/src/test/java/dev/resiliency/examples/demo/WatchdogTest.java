package dev.resiliency.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.state.RecoveryReport.Source;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class WatchdogTest {
    private final Scoreboard board = new Scoreboard(new Scenario(2, 100, List.of()));
    private final Watchdog watchdog = new Watchdog(Duration.ofMinutes(2));

    @Test
    void stepsAndEndsAreProgress() {
        assertThat(standsStillAfter(0)).isFalse();
        board.apply(0, new DemoEvent.Measured(20, 1, 0.5));
        assertThat(standsStillAfter(119)).isFalse();
        board.apply(1, new DemoEvent.Finished(0.97));
        assertThat(standsStillAfter(238)).isFalse();
        board.ended(1, 0, 0);
        assertThat(standsStillAfter(357)).isFalse();
        assertThat(standsStillAfter(478)).isTrue();
    }

    @Test
    void restartingForeverIsNotProgress() {
        board.apply(0, new DemoEvent.Measured(20, 1, 0.5));
        assertThat(standsStillAfter(0)).isFalse();
        for (int i = 1; i <= 120; i++) {
            board.apply(0, Events.entered(0, i, 0));
            board.apply(0, Events.recovered(0, Source.CHECKPOINT));
            board.apply(0, new DemoEvent.Measured(20, 1, 0.5));
            assertThat(standsStillAfter(i)).isFalse();
        }
        assertThat(standsStillAfter(121)).isTrue();
    }

    @Test
    void complaintNamesTheRanksThatDoNotExit() {
        board.apply(0, Events.entered(0, 0, 0));
        board.apply(0, new DemoEvent.Measured(40, 1, 0.5));
        board.apply(1, new DemoEvent.Finished(0.97));
        board.ended(1, 0, 0);

        assertThat(watchdog.complaint(board))
                .isEqualTo("no progress for 120 s; these ranks are still running:" + " rank 0 (training, step 40)");
    }

    private boolean standsStillAfter(long seconds) {
        return watchdog.standsStill(board, Duration.ofSeconds(seconds).toNanos());
    }
}
