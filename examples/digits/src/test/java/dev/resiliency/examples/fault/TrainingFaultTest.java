package dev.resiliency.examples.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.testing.Fault;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TrainingFaultTest {

    @Test
    void faultIsOfOneRankOrOfAll() {
        TrainingFault one = TrainingFault.parse("stop-ping:2@400");
        assertThat(one).isEqualTo(new TrainingFault(Fault.parse("stop-ping:2@400")));
        assertThat(one.hitsAll()).isFalse();
        assertThat(TrainingFault.parse("sigkill:all@600").hitsAll()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"kill:all@600", "kill:all@2.5s", "host-loss:3@12"})
    void textIsWhatParseAccepts(String text) {
        assertThat(TrainingFault.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "exception:all@5 | 'exception:all@5': only kill can hit all ranks, as in kill:all@600",
                "meteor:all@5 | 'meteor' is not a kind of fault",
                "kill:some@5 | 'kill:some@5' is not KIND:RANK@STEP",
            })
    void mistakeIsNamed(String text, String message) {
        assertThatThrownBy(() -> TrainingFault.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}
