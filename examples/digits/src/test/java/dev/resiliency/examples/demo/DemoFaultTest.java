package dev.resiliency.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.testing.Fault;
import dev.resiliency.testing.Fault.After;
import dev.resiliency.testing.Fault.AtStep;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DemoFaultTest {

    @Test
    void faultIsOfOneRankOrOfAll() {
        assertThat(DemoFault.parse("stop-ping:2@400")).isEqualTo(new DemoFault.OfRank(Fault.parse("stop-ping:2@400")));
        assertThat(DemoFault.parse("kill:all@600")).isEqualTo(new DemoFault.OfAll(new AtStep(600)));
        assertThat(DemoFault.parse("sigkill:all@2.5s"))
                .isEqualTo(new DemoFault.OfAll(new After(Duration.ofMillis(2500))));
    }

    @ParameterizedTest
    @ValueSource(strings = {"kill:all@600", "kill:all@2.5s", "host-loss:3@12"})
    void textIsWhatParseAccepts(String text) {
        assertThat(DemoFault.parse(text)).hasToString(text);
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
        assertThatThrownBy(() -> DemoFault.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}
