package dev.resiliency.inprocess.internal.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.internal.cycle.FakeClock;
import dev.resiliency.store.IndexSet;
import java.time.Duration;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class AdmissionPauseTest {
    private final FakeClock clock = new FakeClock();
    private final AdmissionPause pause = new AdmissionPause(clock);
    private IndexSet terminated = IndexSet.empty();
    private int next = 8;

    private void joinAndDieAfter(Duration life) {
        int joiner = next++;
        pause.admitted(IndexSet.of(joiner));
        clock.advance(life);
        terminated = terminated.union(IndexSet.of(joiner));
        pause.look(terminated);
    }

    private long pauseAfterAnEarlyDeath() {
        joinAndDieAfter(Duration.ofMillis(50));
        long left = Duration.ofNanos(Math.max(0, pause.nanosLeft())).toSeconds();
        clock.advance(Duration.ofSeconds(left));
        return left;
    }

    @Test
    void fourthEarlyDeathInARowPausesAdmissionAndEachLaterOneTwiceAsLong() {
        assertThat(LongStream.generate(this::pauseAfterAnEarlyDeath).limit(10))
                .containsExactly(0L, 0L, 0L, 1L, 2L, 4L, 8L, 16L, 30L, 30L);
        assertThat(pause.isOn()).isFalse();
    }

    @Test
    void joinerThatLivesOnResetsTheCount() {
        for (int i = 0; i < 5; i++) {
            pauseAfterAnEarlyDeath();
        }

        joinAndDieAfter(AdmissionPause.SOON);

        assertThat(pause.earlyDeaths()).isZero();
        assertThat(pauseAfterAnEarlyDeath()).isZero();
    }

    @Test
    void deathsOfOthersDoNotCount() {
        for (int rank = 0; rank < 8; rank++) {
            pause.admitted(IndexSet.of(100 + rank));
            pause.look(IndexSet.of(rank));
        }

        assertThat(pause.isOn()).isFalse();
        assertThat(pause.earlyDeaths()).isZero();
    }

    @Test
    void joinerThatLivesOnResetsTheCountOnce() {
        joinAndDieAfter(AdmissionPause.SOON);

        assertThat(LongStream.generate(this::pauseAfterAnEarlyDeath).limit(4)).containsExactly(0L, 0L, 0L, 1L);
    }

    @Test
    void deathBeginsAPauseAndIsCountedOnce() {
        pause.admitted(IndexSet.of(1, 2, 3));
        assertThat(pause.look(IndexSet.empty())).isFalse();
        assertThat(pause.look(IndexSet.of(1, 2, 3))).isFalse();
        assertThat(pause.look(IndexSet.of(1, 2, 3))).isFalse();
        assertThat(pause.earlyDeaths()).isEqualTo(AdmissionPause.FREE);

        pause.admitted(IndexSet.of(4));

        assertThat(pause.look(IndexSet.of(1, 2, 3, 4))).isTrue();
        assertThat(pause.pause()).isEqualTo(AdmissionPause.FIRST_PAUSE);
    }
}
