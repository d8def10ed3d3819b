package dev.resiliency.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExitReasonTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "0|exited with code 0",
                "3|exited with code 3",
                "128|exited with code 128",
                "134|was ended by SIGABRT",
                "137|was ended by SIGKILL",
                "143|was ended by SIGTERM",
                "162|was ended by signal 34",
                "255|exited with code 255"
            })
    void codeBecomesAReasonAndBack(int code, String description) {
        assertThat(ExitReason.of(code).description()).isEqualTo(description);
        assertThat(ExitReason.of(code).code()).isEqualTo(code);
    }
}
