package dev.resiliency.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.launcher.process.ExitReason.Shortage;
import java.io.IOException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExitReasonTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "Cannot run program \"/bin/sh\": error=24, Too many open files; true",
                "Cannot run program \"/bin/sh\": Exec failed, error: 12 (Cannot allocate memory); true",
                "/dev/null (Too many open files); true",
                "error=11, Resource temporarily unavailable; true",
                "Cannot run program \"x\": error=2, No such file or directory; false",
                "error=13, Permission denied; false",
                "error=124; false"
            })
    void onlyWhatMayPassIsAShortage(String message, boolean isShortage) {
        assertThat(Shortage.isCauseOf(new IOException(message))).isEqualTo(isShortage);
    }

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
