package dev.resiliency.inprocess.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GenerationTest {
    @ParameterizedTest(name = "after iteration {0}: {1}")
    @CsvSource({"0, 100", "99, 100", "100, 200", "199, 200", "1234, 1300"})
    void firstIterationIsTheNextMultipleOfAHundred(int latest, int first) {
        assertThat(Generation.FIRST.next(latest)).isEqualTo(new Generation(1, first, latest + 1));
    }

    @Test
    void generationWithoutAnIterationTakesNoNumbers() {
        Generation second = new Generation(1, 100, 4);

        assertThat(second.next(JobKeys.BEFORE_FIRST)).isEqualTo(new Generation(2, 100, 4));
    }

    @Test
    void restartsOfAllGenerationsAreCounted() {
        Generation second = Generation.FIRST.next(3);
        assertThat(second.restartsUntil(100))
                .as("restarts in the first, and its end")
                .isEqualTo(4);
        assertThat(second.restartsUntil(102)).isEqualTo(6);

        Generation third = second.next(102);

        assertThat(third).isEqualTo(new Generation(2, 200, 7));
        assertThat(third.restartsUntil(200)).isEqualTo(7);
    }

    @Test
    void generationSurvivesARoundTrip() {
        Generation generation = new Generation(12, 3400, 56);

        assertThat(generation.text()).isEqualTo("12 3400 56");
        assertThat(Generation.read(generation.text())).isEqualTo(generation);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "1 100", "1 100 x", "-1 100 1", "1 100 1 ", "9999999999 0 0"})
    void textThatNoRankHasWrittenIsRefused(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Generation.read(text))
                .withMessage("the generation of the job is unreadable; does something else write to its store?");
    }
}
