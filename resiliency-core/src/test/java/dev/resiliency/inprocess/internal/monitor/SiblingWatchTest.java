package dev.resiliency.inprocess.internal.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.store.IndexSet;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SiblingWatchTest {
    private static final long TIMEOUT = Duration.ofSeconds(30).toNanos();
    private static final long START = Long.MAX_VALUE - TIMEOUT / 2; // the clock may overflow in between

    private final SiblingWatch watch = new SiblingWatch(2, Duration.ofSeconds(30));

    @Test
    void siblingIsTheNextRankThatLives() {
        assertThat(watch.siblingAmong(IndexSet.range(0, 4))).hasValue(3);
        assertThat(watch.siblingAmong(IndexSet.of(0, 1, 2))).hasValue(0);
        assertThat(watch.siblingAmong(IndexSet.of(1, 2))).hasValue(1);
    }

    @Test
    void joinerTakesItsPlaceInTheRing() {
        assertThat(watch.siblingAmong(IndexSet.of(0, 1, 2, 9))).hasValue(9);
        assertThat(new SiblingWatch(9, Duration.ofSeconds(30)).siblingAmong(IndexSet.of(0, 1, 2, 9)))
                .hasValue(0);
    }

    @Test
    void lastRankHasNoSibling() {
        assertThat(watch.siblingAmong(IndexSet.of(2))).isEmpty();
    }

    @Test
    void rankWhoseHeartbeatStopsForTheTimeoutIsLost() {
        assertThat(watch.observe(3, 7, START)).isFalse();
        assertThat(watch.observe(3, 7, START + TIMEOUT - 1)).isFalse();
        assertThat(watch.observe(3, 7, START + TIMEOUT)).isTrue();
    }

    @Test
    void changeRestartsTheTimeout() {
        watch.observe(3, 7, START);
        watch.observe(3, 8, START + TIMEOUT - 1);

        assertThat(watch.observe(3, 8, START + TIMEOUT)).isFalse();
        assertThat(watch.observe(3, 8, START + 2 * TIMEOUT - 1)).isTrue();
    }

    @Test
    void siblingThatHasNotBegunIsNotLost() {
        watch.observe(3, 0, START);

        assertThat(watch.observe(3, 0, START + 10 * TIMEOUT)).isFalse();
    }

    @Test
    void newSiblingIsJudgedFromThenOn() {
        watch.observe(3, 7, START);

        assertThat(watch.observe(0, 7, START + TIMEOUT)).isFalse();
        assertThat(watch.observe(0, 7, START + 2 * TIMEOUT)).isTrue();
    }

    @Test
    void timeInWhichTheWatcherWasSuspendedDoesNotCount() {
        watch.observe(3, 7, START);
        watch.discount(TIMEOUT - 1);

        assertThat(watch.observe(3, 7, START + 2 * TIMEOUT - 2)).isFalse();
        assertThat(watch.observe(3, 7, START + 2 * TIMEOUT - 1)).isTrue();
    }
}
