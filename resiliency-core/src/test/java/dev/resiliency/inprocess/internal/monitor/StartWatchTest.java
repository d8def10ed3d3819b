package dev.resiliency.inprocess.internal.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class StartWatchTest {
    private final StartWatch watch = new StartWatch();

    @Test
    void childThatUsesLittleOfAProcessorIsWaitedFor() {
        assertThat(watch.getsOn(Duration.ofMillis(300))).isTrue();
        assertThat(watch.getsOn(Duration.ofMillis(600))).isTrue();
        assertThat(watch.getsOn(Duration.ofMillis(900))).isTrue();
    }

    @Test
    void childThatStandsStillIsGivenUp() {
        assertThat(watch.getsOn(Duration.ofMillis(800))).isTrue();
        assertThat(watch.getsOn(Duration.ofMillis(1099))).isFalse();
        assertThat(watch.describe()).contains("within 60 s", "used 1.1 s of processor time");
    }

    @Test
    void childOfASystemThatDoesNotTellIsGivenUpAfterOnePeriod() {
        assertThat(watch.getsOn(Duration.ZERO)).isFalse();
        assertThat(watch.describe()).contains("within 30 s");
    }

    @Test
    void childThatNeverComesToAnEndIsGivenUp() {
        assertThat(watch.getsOn(Duration.ofSeconds(60))).isTrue();
        assertThat(watch.getsOn(Duration.ofSeconds(100))).isFalse();
    }
}
