package dev.resiliency.launcher.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationsTest {
    @ParameterizedTest
    @CsvSource({
        "500ms, 500, 500ms",
        "30s, 30000, 30s",
        "1h30m, 5400000, 1h30m",
        "90s, 90000, 1m30s",
        "2d, 172800000, 2d",
        "0, 0, 0"
    })
    void durationIsReadAndWritten(String text, long millis, String written) {
        assertThat(Durations.parse(text)).isEqualTo(Duration.ofMillis(millis));
        assertThat(Durations.format(Duration.ofMillis(millis))).isEqualTo(written);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "30", "s", "-1s", "1 s", "1.5h", "99999999999s"})
    void anythingElseIsRefusedWithExamples(String text) {
        assertThatThrownBy(() -> Durations.parse(text)).hasMessageContaining("as in 500ms, 30s, 5m, 1h30m or 2d");
    }

    @Test
    void durationOfMoreThanTenYearsIsRefused() {
        assertThatThrownBy(() -> Durations.parse("999999999d")).hasMessageContaining("between 0 and ten years");
    }

    @Test
    void lessThanAMillisecondIsLeftOut() {
        assertThat(Durations.format(Duration.ofNanos(1_999_999))).isEqualTo("1ms");
    }
}
