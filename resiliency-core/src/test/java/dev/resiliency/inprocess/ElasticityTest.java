package dev.resiliency.inprocess;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;

import dev.resiliency.inprocess.Elasticity.Admission;
import dev.resiliency.inprocess.Elasticity.Admission.Kind;
import java.time.Duration;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ElasticityTest {
    private static final Elasticity DEFAULTS = Elasticity.defaults();
    private static final Duration NEGATIVE = Duration.ofMillis(-1);

    @Test
    void defaultsLetAJobGrowBackToItsSizeAfterASecond() {
        assertThat(DEFAULTS)
                .isEqualTo(new Elasticity(
                        1,
                        Elasticity.WORLD_SIZE,
                        Duration.ofMinutes(10),
                        Duration.ZERO,
                        Duration.ofSeconds(1),
                        Admission.immediately()));
    }

    @Test
    void eachSettingCanBeReplaced() {
        Duration second = Duration.ofSeconds(1);

        assertThat(DEFAULTS.minRanks(4)
                        .maxRanks(8)
                        .rendezvousTimeout(second)
                        .replacementWait(second.multipliedBy(2))
                        .joinWait(second.multipliedBy(3))
                        .admission(Admission.never()))
                .isEqualTo(new Elasticity(
                        4, 8, second, second.multipliedBy(2), second.multipliedBy(3), Admission.never()));
    }

    private static Arguments refused(String message, UnaryOperator<Elasticity> setting) {
        return Arguments.of(message, setting);
    }

    static Stream<Arguments> settingsThatAreRefused() {
        return Stream.of(
                refused("minRanks is 0: it must be at least 1", policy -> policy.minRanks(0)),
                refused(
                        "maxRanks is 3, but it must be at least minRanks, which is 4, or 0 for the world size",
                        policy -> policy.minRanks(4).maxRanks(3)),
                refused(
                        "maxRanks is -1, but it must be at least minRanks, which is 1, or 0 for the world size",
                        policy -> policy.maxRanks(-1)),
                refused(
                        "rendezvousTimeout is -0.001 s: it must not be negative",
                        policy -> policy.rendezvousTimeout(NEGATIVE)),
                refused(
                        "replacementWait is -0.001 s: it must not be negative",
                        policy -> policy.replacementWait(NEGATIVE)),
                refused("joinWait is -0.001 s: it must not be negative", policy -> policy.joinWait(NEGATIVE)),
                refused(
                        "joinWait must be at most 36500 days",
                        policy -> policy.joinWait(Duration.ofDays(36_500).plusNanos(1))),
                refused(
                        "atMost is -0.001 s: it must not be negative",
                        policy -> policy.admission(Admission.atSafePoint(NEGATIVE))),
                refused(
                        "atMost is 1.0 s, but admission NEVER waits for no safe point",
                        policy -> policy.admission(new Admission(Kind.NEVER, Duration.ofSeconds(1)))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("settingsThatAreRefused")
    void invalidSettingIsRejectedWithItsNameAndValue(String message, UnaryOperator<Elasticity> setting) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> setting.apply(DEFAULTS))
                .withMessage(message);
    }

    @Test
    @SuppressWarnings("NullAway") // what this checks
    void nullIsRejectedWithTheNameOfTheSetting() {
        assertThatNullPointerException()
                .isThrownBy(() -> DEFAULTS.joinWait(null))
                .withMessage("joinWait is null");
        assertThatNullPointerException()
                .isThrownBy(() -> DEFAULTS.admission(null))
                .withMessage("admission is null");
    }

    @Test
    void worldSizeIsTheLimitUnlessAnotherIsSet() {
        assertThat(DEFAULTS.maxRanksOf(16)).isEqualTo(16);
        assertThat(DEFAULTS.maxRanks(32).maxRanksOf(16)).isEqualTo(32);
    }

    @Test
    void onlyASafePointHasALimit() {
        assertThat(Admission.atSafePoint(Duration.ofMinutes(1)))
                .isEqualTo(new Admission(Kind.AT_SAFE_POINT, Duration.ofMinutes(1)));
        assertThat(Stream.of(Admission.immediately(), Admission.atNextRestart(), Admission.never()))
                .extracting(Admission::atMost)
                .containsOnly(Duration.ZERO);
    }
}
