package dev.resiliency.launcher.attribution;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ResumptionTest {
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
        assertThat(new Resumption(from, to, isLeast))
                .returns(repeated, Resumption::repeated)
                .returns(text, Resumption::text);
    }

    @Test
    void nodeThatKnowsExactlyCompletesWhatAnotherKnows() {
        Resumption least = new Resumption(1190, 1186, true);

        assertThat(least.and(new Resumption(1200, 1186, false))).isEqualTo(new Resumption(1200, 1186, false));
        assertThat(least.and(new Resumption(1195, 1186, true))).isEqualTo(new Resumption(1195, 1186, true));
    }

    @Test
    void secondRestartGoesOnWhereItDoes() {
        assertThat(new Resumption(1200, 1186, false).and(new Resumption(1190, 1180, false)))
                .isEqualTo(new Resumption(1200, 1180, false));
    }

    @Test
    void reasonWhyNobodyKnowsDependsOnWhetherStepsAreTold() {
        assertThat(Resumption.unknown(false))
                .isEqualTo("how many steps are repeated is unknown: the training does not call step");
        assertThat(Resumption.unknown(true))
                .isEqualTo("how many steps are repeated is unknown: no rank has made a step yet");
    }
}
