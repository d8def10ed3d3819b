package dev.resiliency.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BackoffTest {
    private final Random random = new Random(7);

    @Test
    void processThatRanWellStartsAtOnceAndOneThatFailsAtStartupEverLater() {
        Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(10));
        List<Duration> delays = IntStream.range(0, 100)
                .mapToObj(failures -> backoff.delay(failures, random))
                .toList();

        assertThat(delays.get(0)).isZero();
        assertThat(delays.get(1)).isBetween(Duration.ofSeconds(1), Duration.ofMillis(1500));
        assertThat(delays.get(2)).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(3));
        assertThat(delays.get(3)).isBetween(Duration.ofSeconds(4), Duration.ofSeconds(6));
        assertThat(delays.subList(5, 100)).containsOnly(Duration.ofSeconds(10));
    }

    @Test
    void processesThatFailTogetherStartAtDifferentTimes() {
        assertThat(IntStream.range(0, 10)
                        .mapToObj(process -> Backoff.defaults().delay(1, random))
                        .distinct())
                .hasSize(10);
    }

    @Test
    void restartAfterOneFailureAtStartupMayComeAtOnce() {
        Backoff backoff = new Backoff(Duration.ZERO, Duration.ofSeconds(10));

        assertThat(backoff.delay(1, random)).isZero();
        assertThat(backoff.delay(2, random)).isBetween(Duration.ofMillis(100), Duration.ofMillis(150));
        assertThat(backoff.delay(3, random)).isBetween(Duration.ofMillis(200), Duration.ofMillis(300));
    }

    @Test
    void limitBelowTheStartIsRefused() {
        assertThatThrownBy(() -> new Backoff(Duration.ofSeconds(2), Duration.ofSeconds(1)))
                .hasMessageContaining("a backoff from 2s to 1s is invalid");
    }
}
