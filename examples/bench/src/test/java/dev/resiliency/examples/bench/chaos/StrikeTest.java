package dev.resiliency.examples.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.testing.FaultKind;
import dev.resiliency.testing.FaultKind.Effect;
import java.time.Duration;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class StrikeTest {
    static Stream<Strike> all() {
        return Arrays.stream(FaultKind.values())
                .flatMap(kind -> Arrays.stream(Place.values())
                        .filter(place -> place.allows(kind))
                        .map(place -> new Strike(0, kind, place, 1, Duration.ZERO)));
    }

    @ParameterizedTest
    @MethodSource("all")
    void whatComesOfItIsSaid(Strike strike) {
        assertThat(strike.explanations().isEmpty()).isEqualTo(strike.isHarmless());
        boolean end = !strike.exitCodes().isEmpty() || !strike.exceptions().isEmpty() || strike.leavesStandingStill();
        assertThat(!strike.isDeadly() || end).isTrue();
        if (strike.place() == Place.STEP) {
            assertThat(strike.isDeadly()).isEqualTo(strike.kind().effect() != Effect.RESTART);
        }
    }
}
