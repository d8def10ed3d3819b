package dev.resiliency.launcher.health;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FailCountTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"fail_count\": 0}|0",
                "{\"fail_count\":3}|3",
                "{\"checks\":[{\"fail_count\":9},[1]],\"fail_count\":2,\"other\":{\"fail_count\":7}}|2",
                " {\"name\":\"fail_count\",\"count\":5,\"fail_count\":1} |1"
            })
    void countIsThatOfTheObjectItself(String text, long count) {
        assertThat(FailCount.read(text)).hasValue(count);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "all is well",
                "[{\"fail_count\": 1}]",
                "{}",
                "{\"fail_count\": \"1\"}",
                "{\"fail_count\": 1.5}",
                "{\"other\": 1}",
                "{\"checks\": {\"fail_count\": 1}}",
                "{\"fail_count\": 1",
                "{\"fail_count\": 1} trailing",
                "{\"fail_count\": 1} {\"fail_count\": 2}"
            })
    void textWithoutACountHasNone(String text) {
        assertThat(FailCount.read(text)).isEmpty();
    }

    @Test
    void countThatIsTooLargeIsNone() {
        assertThat(FailCount.read("{\"fail_count\": 99999999999999999999}")).isEmpty();
    }
}
