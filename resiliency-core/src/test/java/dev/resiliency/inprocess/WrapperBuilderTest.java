package dev.resiliency.inprocess;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class WrapperBuilderTest {

    private static WrapperBuilder builder() {
        return Wrapper.builder().environment(Environment.single());
    }

    private static Arguments refused(String message, UnaryOperator<WrapperBuilder> settings) {
        return Arguments.of(message, settings);
    }

    static Stream<Arguments> settingsThatAreRefused() {
        Duration minute = Duration.ofMinutes(1);
        return Stream.of(
                refused(
                        "monitorThreadInterval is 0.0 s: it must be positive",
                        builder -> builder.monitorThreadInterval(Duration.ZERO)),
                refused(
                        "monitorProcessInterval is -1.0 s: it must be positive",
                        builder -> builder.monitorProcessInterval(Duration.ofSeconds(-1))),
                refused(
                        "heartbeatInterval is 0.0 s: it must be positive",
                        builder -> builder.heartbeatInterval(Duration.ZERO)),
                refused(
                        "progressWatchdogInterval is 0.0 s: it must be positive",
                        builder -> builder.progressWatchdogInterval(Duration.ZERO)),
                refused(
                        "completionTimeout is 0.0 s: it must be positive",
                        builder -> builder.completionTimeout(Duration.ZERO)),
                refused(
                        "lastCallWait is -0.001 s: it must not be negative",
                        builder -> builder.lastCallWait(Duration.ofMillis(-1))),
                refused(
                        "terminationGraceTime is -1.0 s: it must not be negative",
                        builder -> builder.terminationGraceTime(Duration.ofSeconds(-1))),
                refused(
                        "asyncStopDelay is -1.0 s: it must not be negative",
                        builder -> builder.asyncStopDelay(Duration.ofSeconds(-1))),
                refused(
                        "barrierTimeout must be at most 36500 days",
                        builder -> builder.barrierTimeout(Duration.ofSeconds(Long.MAX_VALUE))),
                refused(
                        "lastCallWait must be at most 36500 days",
                        builder -> builder.lastCallWait(Duration.ofDays(36_500).plusNanos(1))),
                refused(
                        "progressWatchdogInterval is 60.0 s, but it must be less than softTimeout, which is 60.0 s",
                        builder -> builder.progressWatchdogInterval(minute)),
                refused(
                        "softTimeout is 90.0 s, but it must be less than hardTimeout, which is 90.0 s",
                        builder -> builder.softTimeout(Duration.ofSeconds(90))),
                refused(
                        "monitorProcessInterval is 90.0 s, but it must be less than hardTimeout, which is 90.0 s",
                        builder -> builder.monitorProcessInterval(Duration.ofSeconds(90))),
                refused(
                        "hardTimeout is 90.0 s, but it must be less than barrierTimeout, which is 60.0 s",
                        builder -> builder.barrierTimeout(minute)),
                refused(
                        "heartbeatInterval is 60.0 s, but it must be less than heartbeatTimeout, which is 30.0 s",
                        builder -> builder.heartbeatInterval(minute)));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("settingsThatAreRefused")
    void settingIsRefusedWithItsName(String message, UnaryOperator<WrapperBuilder> settings) {
        WrapperBuilder builder = settings.apply(builder());

        assertThatIllegalArgumentException().isThrownBy(builder::build).withMessage(message);
    }

    @Test
    void defaultsFitTogether() {
        assertThat(builder().build()).isNotNull();
    }

    @Test
    void waitsMayBeZero() {
        assertThat(builder()
                        .lastCallWait(Duration.ZERO)
                        .terminationGraceTime(Duration.ZERO)
                        .asyncStopDelay(Duration.ZERO)
                        .build())
                .isNotNull();
    }
}
