package dev.resiliency.launcher.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.RestartReport.Phase;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class InProcessRestartTest {
    private static final Map<Phase, Duration> PHASES = Map.of(
            Phase.LAST_CALL,
            Duration.ofNanos(10_100_000),
            Phase.ABORT,
            Duration.ZERO,
            Phase.BARRIER,
            Duration.ofSeconds(3));

    private static InProcessRestart restart(String cause) {
        return new InProcessRestart(3, Duration.ofNanos(14_200_000), cause, PHASES, "spare 1.2");
    }

    @Test
    void textIsForPeople() {
        assertThat(restart("EXCEPTION on rank 2 (no route); 2 ranks followed (EOFException)")
                        .text())
                .isEqualTo(
                        "restarted in 14.2 ms into iteration 3 after EXCEPTION on rank 2 (no route); 2 ranks followed"
                                + " (EOFException): last call 10.1, abort 0.0, barrier 3000.0 ms on spare 1.2");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "EXCEPTION on rank 2 (no route)",
                "",
                "EXCEPTION on rank 2 (restarted in 1 ms into iteration 1 after x: abort 1 ms on rank 0: abort 3.0 ms on rank 1)",
                "SCALE_UP by rank 0 (: , ms)"
            })
    void textIsReadAsItWasWritten(String cause) {
        assertThat(InProcessRestart.read(restart(cause).text())).contains(restart(cause));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "restarted in 14.2 ms after EXCEPTION",
                "restarted in 1.2.3 ms into iteration 3 after x: abort 1 ms on rank 0",
                "restarted in 1 ms into iteration 3 after x: coffee 1 ms on rank 0"
            })
    void otherTextsAreNone(String text) {
        assertThat(InProcessRestart.read(text)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "SCALE_UP by rank 0 (rank 3 waits),false",
        "LEAVING of rank 3,false",
        "TERMINATED on rank 2 (it died),true",
        "'',true"
    })
    void changesByIntentAreNoFaults(String cause, boolean isFault) {
        assertThat(restart(cause).isFault()).isEqualTo(isFault);
    }
}
