package dev.resiliency.inprocess.internal.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.Interruption.Kind;
import java.util.List;
import org.junit.jupiter.api.Test;

class StepPaceTest {
    private static final long WINDOW = StepPace.WINDOW.toNanos();

    private final StepPace pace = new StepPace();
    private final SafePointMargin margin = new SafePointMargin();

    @Test
    void paceIsKnownAfterAWindowWithAStep() {
        pace.look(0, 4);
        pace.look(WINDOW - 1, 9);
        assertThat(pace.isKnown()).isFalse();

        pace.look(WINDOW, 9);

        assertThat(pace.isKnown()).isTrue();
        assertThat(margin.of(pace)).isEqualTo(5);
    }

    @Test
    void functionThatWaitsHasNoPaceYet() {
        pace.look(0, 4);
        pace.look(10 * WINDOW, 4);
        assertThat(pace.isKnown()).isFalse();

        pace.look(11 * WINDOW, 5);

        assertThat(pace.isKnown()).isTrue();
        assertThat(margin.of(pace)).isEqualTo(2);
    }

    @Test
    void longerIntervalsCountProportionallyAndRoundUp() {
        pace.look(0, 0);
        pace.look(5 * WINDOW, 51);

        assertThat(margin.of(pace)).isEqualTo(11);
    }

    @Test
    void mostStepsOfAnyWindowCount() {
        pace.look(0, 0);
        pace.look(WINDOW, 30);
        pace.look(2 * WINDOW, 31);

        assertThat(margin.of(pace)).isEqualTo(30);
    }

    @Test
    void marginDoublesWithEachMissedSafePoint() {
        margin.learn(List.of(new Interruption(0, Kind.EXCEPTION, null, "NaN")));
        assertThat(margin.of(pace)).isEqualTo(2);

        margin.learn(List.of(
                new Interruption(0, Kind.SCALE_UP, null, ""), new Interruption(1, Kind.SAFE_POINT_MISSED, null, "")));
        margin.learn(List.of(new Interruption(2, Kind.SAFE_POINT_MISSED, null, "")));

        assertThat(margin.of(pace)).isEqualTo(8);
    }
}
