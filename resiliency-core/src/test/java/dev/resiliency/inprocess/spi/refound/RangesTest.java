package dev.resiliency.inprocess.spi.refound;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.store.IndexSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RangesTest {
    @Test
    void neighboursAreWrittenAsARange() {
        assertThat(Ranges.write(IndexSet.of(0, 1, 2, 3, 8))).isEqualTo("0-3,8");
        assertThat(Ranges.write(IndexSet.of(4, 5))).isEqualTo("4-5");
        assertThat(Ranges.write(IndexSet.of(7))).isEqualTo("7");
    }

    @Test
    void emptySetHasATextThatIsNotEmpty() {
        assertThat(Ranges.write(IndexSet.empty())).isEqualTo("-");
        assertThat(Ranges.read("-")).isEqualTo(IndexSet.empty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"-", "0", "0-1", "1,3", "0-3,8", "2,5-9,11,100-16383"})
    void textSurvivesARoundTrip(String text) {
        assertThat(Ranges.write(Ranges.read(text))).isEqualTo(text);
    }
}
