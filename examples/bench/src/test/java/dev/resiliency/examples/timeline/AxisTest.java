package dev.resiliency.examples.timeline;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AxisTest {

    @ParameterizedTest
    @CsvSource({"23000000, 10, 0 5 10 15 20", "240000, 6, 0 0.05 0.1 0.15 0.2", "61000000000, 5, 0 20000 40000 60000"})
    void ticksAreRoundTimes(long end, int count, String labels) {
        assertThat(new Axis(0, end).ticks(count).mapToObj(Axis::label)).containsExactly(labels.split(" ", -1));
    }

    @Test
    void ticksBeginWithTheAxisWhereverThatIs() {
        assertThat(new Axis(-4_000_000, 9_000_000).ticks(5).mapToObj(Axis::label))
                .containsExactly("0", "5");
        assertThat(new Axis(-5_000_000, 9_000_000).ticks(5).mapToObj(Axis::label))
                .containsExactly("-5", "0", "5");
    }

    @Test
    void figuresHaveOnlySignificantDecimals() {
        assertThat(Axis.millis(4_126_000)).isEqualTo("4.13");
        assertThat(Axis.millis(-126_000)).isEqualTo("-0.13");
        assertThat(Axis.millis(20_126_000)).isEqualTo("20.1");
    }
}
