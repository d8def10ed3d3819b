package dev.resiliency.examples.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.testing.FaultKind;
import dev.resiliency.testing.FaultKind.Effect;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ChaosFaultTest {
    static Stream<ChaosFault> all() {
        return Arrays.stream(FaultKind.values())
                .flatMap(kind -> Arrays.stream(Place.values())
                        .filter(place -> place.allows(kind))
                        .map(place -> new ChaosFault(0, kind, place, 1, Duration.ZERO)));
    }

    @ParameterizedTest
    @MethodSource("all")
    void whatComesOfItIsSaid(ChaosFault fault) {
        assertThat(fault.explanations().isEmpty()).isEqualTo(fault.isHarmless());
        boolean end = !fault.exitCodes().isEmpty() || !fault.exceptions().isEmpty() || fault.leavesStandingStill();
        assertThat(!fault.isDeadly() || end).isTrue();
        if (fault.place() == Place.STEP) {
            assertThat(fault.isDeadly()).isEqualTo(fault.kind().effect() != Effect.RESTART);
        }
    }
}
