package dev.resiliency.launcher.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.launcher.process.ExitReason.Exited;
import dev.resiliency.launcher.process.ExitReason.NotStarted;
import dev.resiliency.launcher.process.ExitReason.Shortage;
import dev.resiliency.launcher.process.ExitReason.Signalled;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
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

    @ParameterizedTest
    @CsvSource({
        "1, HUP",
        "2, INT",
        "3, QUIT",
        "4, ILL",
        "5, TRAP",
        "6, ABRT",
        "7, BUS",
        "8, FPE",
        "9, KILL",
        "10, USR1",
        "11, SEGV",
        "12, USR2",
        "13, PIPE",
        "14, ALRM",
        "15, TERM",
        "24, XCPU",
        "25, XFSZ",
        "31, SYS"
    })
    void signalHasTheNumberOfLinux(int number, String name) {
        assertThat(ExitReason.numberOf(name)).isEqualTo(number);
        assertThat(ExitReason.codeOf(name)).isEqualTo(128 + number);
        assertThat(new Signalled(number).name()).isEqualTo("SIG" + name);
    }

    @Test
    void unknownSignalIsRefused() {
        assertThatThrownBy(() -> ExitReason.numberOf("SIGTERM"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("there is no signal SIGSIGTERM");
    }

    @ParameterizedTest
    @CsvSource({"128, Exited", "129, Signalled", "192, Signalled", "193, Exited"})
    void codesFrom129To192AreSignals(int code, String kind) {
        assertThat(ExitReason.of(code).getClass().getSimpleName()).isEqualTo(kind);
    }

    @Test
    void processThatHasNotStartedSaysWhy() {
        assertThat(new NotStarted(127, "there is no file x").description())
                .isEqualTo("could not be started: there is no file x");
        assertThat(new Shortage("error=11"))
                .returns("could not be started for now: error=11", Shortage::description)
                .returns(1, Shortage::code);
    }

    @ParameterizedTest
    @CsvSource({
        "0, COMPLETED",
        "93, ABORT",
        "130, ABORT",
        "94, REPLACE_HOST",
        "126, CANNOT_START",
        "127, CANNOT_START",
        "1, FAILED",
        "137, FAILED"
    })
    void codeSaysWhetherAnotherProcessMaySucceed(int code, Verdict verdict) {
        assertThat(Verdict.of(ExitReason.of(code))).isEqualTo(verdict);
    }

    @Test
    void code130IsNoSignal() {
        assertThat(Verdict.describe(ExitReason.of(130))).isEqualTo("exited with code 130 (RestartAbort)");
        assertThat(Verdict.describe(ExitReason.of(143))).isEqualTo("was ended by SIGTERM");
    }

    @Test
    void commandThatLeavesItsWorkBehindIsExplained() {
        assertThat(new Exited(0, 0).more(Duration.ofSeconds(1))).isEmpty();
        assertThat(new Exited(0, 1).more(Duration.ofSeconds(10)))
                .isEqualTo(", and has left 1 process behind, which was ended");
        assertThat(new Exited(0, 2).more(Duration.ofSeconds(9)))
                .isEqualTo(
                        ", and has left 2 processes behind, which were ended (a command that starts the training in the"
                                + " background has to wait for it)");
        assertThat(ExitReason.of(137).more(Duration.ofSeconds(1))).isEmpty();
    }
}
