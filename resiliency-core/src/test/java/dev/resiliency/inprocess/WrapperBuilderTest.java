package dev.resiliency.inprocess;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class WrapperBuilderTest {

    private static Wrapper.Builder builder() {
        return Wrapper.builder().environment(Environment.single());
    }

    private static Arguments refused(String message, UnaryOperator<Wrapper.Builder> settings) {
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
                        "firstStepTimeout is 0.0 s: it must be positive",
                        builder -> builder.firstStepTimeout(Duration.ZERO)),
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
                        builder -> builder.heartbeatInterval(minute)),
                refused(
                        "heartbeatInterval plus monitorProcessInterval is 1.2 s, but it must be less than heartbeatTimeout,"
                                + " which is 0.6 s",
                        builder -> builder.heartbeatTimeout(Duration.ofMillis(600))),
                refused(
                        "minRanks is 2, but it must be at most maxRanks, which is WORLD_SIZE: 1",
                        builder -> builder.elasticity(Elasticity.defaults().minRanks(2))));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("settingsThatAreRefused")
    void invalidSettingIsRejectedWithItsName(String message, UnaryOperator<Wrapper.Builder> settings) {
        Wrapper.Builder builder = settings.apply(builder());

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

    static Stream<Arguments> hooks() {
        return Stream.of(
                hook("prepare", builder -> builder.prepare(() -> {})),
                hook("initialize", builder -> builder.initialize(state -> {})),
                hook("abort", builder -> builder.abort(state -> {})),
                hook("finalize", builder -> builder.finalize(state -> {})),
                hook("healthCheck", builder -> builder.healthCheck(state -> {})),
                hook("completion", builder -> builder.completion(state -> {})),
                hook("terminate", builder -> builder.terminate(state -> {})),
                hook("listener", builder -> builder.listener(new RestartListener() {})));
    }

    private static Arguments hook(String name, UnaryOperator<Wrapper.Builder> setting) {
        return Arguments.of(name, setting);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("hooks")
    void hookIsNotSilentlyReplacedByASecondOne(String name, UnaryOperator<Wrapper.Builder> setting) {
        Wrapper.Builder builder = setting.apply(builder());

        assertThatIllegalStateException()
                .isThrownBy(() -> setting.apply(builder))
                .withMessage(name + " is set twice: combine both, for example with andThen");
    }

    /** Returns all setters that take an object. */
    static Stream<Method> settersOfObjects() {
        return Arrays.stream(Wrapper.Builder.class.getMethods())
                .filter(method -> method.getParameterCount() == 1)
                .filter(method -> !method.getParameterTypes()[0].isPrimitive());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("settersOfObjects")
    void nullIsRejectedWithTheNameOfTheSetting(Method setter) {
        assertThatExceptionOfType(InvocationTargetException.class)
                .isThrownBy(() -> setter.invoke(builder(), (Object) null))
                .withCauseInstanceOf(NullPointerException.class)
                .satisfies(thrown -> assertThat(thrown.getCause()).hasMessage(setter.getName() + " is null"));
    }

    @Test
    void worldMayBecomeLargerThanItWasAtTheStart() {
        Elasticity growing = Elasticity.defaults().maxRanks(8).minRanks(2);

        assertThat(builder().elasticity(growing).build()).isNotNull();
    }

    @Test
    void signalToLeaveOnMustExistAndItsGraceMustNotBeNegative() {
        assertThat(builder()
                        .leaveOn("TERM", Duration.ZERO)
                        .leaveOn("SIGUSR2", Duration.ofDays(1))
                        .build())
                .isNotNull();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder().leaveOn("TEA", Duration.ofSeconds(5)))
                .withMessageContaining("TEA");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> builder().leaveOn("TERM", Duration.ofSeconds(-5)))
                .withMessage("leaveOn: the grace of SIGTERM is -5.0 s: it must be 0 to 36500 days");
    }

    @Test
    void lastValueOfAnotherSettingCounts() {
        assertThat(builder()
                        .softTimeout(Duration.ofDays(1))
                        .softTimeout(Duration.ofMinutes(1))
                        .build())
                .isNotNull();
    }

    @Test
    void eachBuilderStartsWithTheDefaults() {
        assertThat(builder().abort(state -> {}).build()).isNotNull();
        assertThat(builder().abort(state -> {}).build()).isNotNull();
    }
}
