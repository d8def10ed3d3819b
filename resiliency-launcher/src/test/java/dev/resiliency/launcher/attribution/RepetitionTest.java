package dev.resiliency.launcher.attribution;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RepetitionTest {
    private static Repetition repetition(Resumption... seen) {
        return Stream.of(seen).reduce(Repetition.UNKNOWN, Repetition::and, (one, other) -> other);
    }

    private static Resumption restart(int iteration, long from, long to) {
        return new Resumption(0, iteration, from, to, false);
    }

    private static Resumption killed(int iteration, long from, long to) {
        return new Resumption(0, iteration, from, to, true);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "1200 | 1186 | false | 14 | 14 steps repeated (from 1200 to 1186)",
                "1200 | 1199 | false | 1  | 1 step repeated (from 1200 to 1199)",
                "1200 | 1200 | false | 0  | no step repeated",
                "1200 | 1201 | false | 0  | no step repeated",
                "1200 | 1186 | true  | 14 | at least 14 steps repeated (from 1200 to 1186)",
                "1200 | 1200 | true  |    | how many steps are repeated is unknown: all ranks were killed, and none has noted its very last step",
            })
    void stepThatTheTrainingWasAtWasNotComplete(long from, long to, boolean isLeast, Long repeated, String text) {
        assertThat(repetition(new Resumption(0, 5, from, to, isLeast)))
                .returns(repeated, Repetition::repeated)
                .returns(text, known -> known.text(true));
    }

    @Test
    void processThatKnowsExactlyCompletesWhatAnotherKnows() {
        assertThat(repetition(killed(5, 1190, 1186), restart(5, 1200, 1186)))
                .isEqualTo(repetition(restart(5, 1200, 1186)));
        assertThat(repetition(killed(5, 1195, 1186), killed(5, 1190, 1186)))
                .isEqualTo(repetition(killed(5, 1195, 1186)));
    }

    @Test
    void eachRestartCostsItsSteps() {
        Repetition both = repetition(restart(6, 1188, 1186), restart(5, 1200, 1186), restart(7, 1190, 1190));

        assertThat(both.repeated()).isEqualTo(16);
        assertThat(both.text(true)).isEqualTo("16 steps repeated in 2 restarts (from 1200 to 1186, from 1188 to 1186)");
    }

    @Test
    void restartsOfTwoCyclesAreDifferent() {
        assertThat(repetition(new Resumption(2, 0, 30, 20, false), new Resumption(1, 7, 40, 0, false))
                        .text(true))
                .isEqualTo("50 steps repeated in 2 restarts (from 40 to 0, from 30 to 20)");
    }

    @Test
    void sumIsTheLeastIfOneOfThemIs() {
        assertThat(repetition(killed(5, 1200, 1186), restart(6, 1188, 1186)).text(true))
                .isEqualTo("at least 16 steps repeated in 2 restarts (from 1200 to 1186, from 1188 to 1186)");
        assertThat(repetition(killed(5, 1200, 1200), restart(6, 1188, 1186)).text(true))
                .isEqualTo("at least 2 steps repeated (from 1188 to 1186)");
        assertThat(repetition(killed(5, 1200, 1200), restart(6, 1188, 1188)).repeated())
                .isNull();
    }

    @Test
    void manyRestartsAreCountedAndTheFirstShown() {
        assertThat(repetition(restart(1, 10, 0), restart(2, 20, 0), restart(3, 30, 0), restart(4, 40, 0))
                        .text(true))
                .isEqualTo("100 steps repeated in 4 restarts (from 10 to 0, from 20 to 0, from 30 to 0, …)");
    }

    @Test
    void reasonWhyNobodyKnowsDependsOnWhetherStepsAreTold() {
        assertThat(Repetition.UNKNOWN.text(false))
                .isEqualTo("how many steps are repeated is unknown: the training does not call step");
        assertThat(Repetition.UNKNOWN.text(true))
                .isEqualTo("how many steps are repeated is unknown: no rank has made a step yet");
    }
}
