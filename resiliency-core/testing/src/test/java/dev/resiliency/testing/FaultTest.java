package dev.resiliency.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class FaultTest {

    @Test
    void readsKindRankAndStep() {
        assertThat(Fault.parse("exception:2@600")).isEqualTo(Fault.atStep(FaultKind.EXCEPTION, 2, 600));
        assertThat(Fault.parse("kill:0@1")).isEqualTo(Fault.atStep(FaultKind.SIGKILL, 0, 1));
    }

    @Test
    void readsKindRankAndDelay() {
        assertThat(Fault.parse("stop-ping:2@1.5s"))
                .isEqualTo(Fault.after(FaultKind.STOP_PING, 2, Duration.ofMillis(1500)));
        assertThat(Fault.parse("sigstop:2@0s")).isEqualTo(Fault.after(FaultKind.SIGSTOP, 2, Duration.ZERO));
    }

    @ParameterizedTest
    @ValueSource(strings = {"kill:3@1300", "blocked-native:0@2.25s", "host-loss:7@10s"})
    void writesWhatItReads(String text) {
        assertThat(Fault.parse(text)).hasToString(text);
    }

    @ParameterizedTest
    @EnumSource
    void kindsAreReadByLabelAndByName(FaultKind kind) {
        assertThat(FaultKind.parse(kind.toString())).isEqualTo(kind);
        assertThat(FaultKind.parse(kind.name())).isEqualTo(kind);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "kill",
                "kill:1",
                "kill@5",
                "kill:1@",
                "kill:-1@5",
                "kill:1@x",
                "kill:1@5@6",
                "kill:1@1.5",
                "kill:1@.5s",
                "kill:1@-1s",
                "kill:1@99999999999"
            })
    void otherFormsAreRejected(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Fault.parse(text))
                .withMessage("'" + text + "' is not KIND:RANK@STEP, such as kill:1@600, or KIND:RANK@SECONDSs, such as"
                        + " kill:1@2.5s");
    }

    @Test
    void unknownKindIsRejectedNamingTheKnownOnes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Fault.parse("meteor:1@5"))
                .withMessageStartingWith(
                        "'meteor' is not a kind of fault; use one of exception, error, async-exception, kill");
    }

    @Test
    void negativeValuesAreRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Fault.atStep(FaultKind.ERROR, -1, 5))
                .withMessage("the rank is -1: it must not be negative");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Fault.after(FaultKind.ERROR, 1, Duration.ofSeconds(-1)))
                .withMessage("the delay is PT-1S: it must not be negative");
    }
}
