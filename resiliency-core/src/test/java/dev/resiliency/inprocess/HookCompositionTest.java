package dev.resiliency.inprocess;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class HookCompositionTest {
    private static final State STATE = new State(0, 1, 0, 1, State.Mode.ACTIVE, 0, 1, 0);

    private final List<String> calls = new ArrayList<>();

    /** A hook of any kind. */
    interface Step {
        void run(State state) throws Exception;
    }

    /** Composes steps as hooks of one kind. */
    interface Kind extends Function<Step[], Step> {}

    static Stream<Named<Kind>> chainsThatOneEnds() {
        return Stream.of(
                Named.of(
                        "initialize",
                        steps -> Initialize.compose(Stream.of(steps)
                                .<Initialize>map(step -> step::run)
                                .toArray(Initialize[]::new))::initialize),
                Named.of(
                        "finalize",
                        steps -> Finalize.compose(Stream.of(steps)
                                .<Finalize>map(step -> step::run)
                                .toArray(Finalize[]::new))::finish),
                Named.of(
                        "health check",
                        steps -> HealthCheck.compose(Stream.of(steps)
                                .<HealthCheck>map(step -> step::run)
                                .toArray(HealthCheck[]::new))::check),
                Named.of(
                        "completion",
                        steps -> Completion.compose(Stream.of(steps)
                                .<Completion>map(step -> step::run)
                                .toArray(Completion[]::new))::completed));
    }

    static Stream<Named<Kind>> chainsThatRunToTheirEnd() {
        return Stream.of(
                Named.of(
                        "abort",
                        steps -> Abort.compose(
                                Stream.of(steps).<Abort>map(step -> step::run).toArray(Abort[]::new))::abort),
                Named.of(
                        "terminate",
                        steps -> Terminate.compose(Stream.of(steps)
                                .<Terminate>map(step -> step::run)
                                .toArray(Terminate[]::new))::terminated));
    }

    static Stream<Named<Kind>> allChains() {
        return Stream.concat(chainsThatOneEnds(), chainsThatRunToTheirEnd());
    }

    private Step step(String name) {
        return state -> {
            assertThat(state).isSameAs(STATE);
            calls.add(name);
        };
    }

    private Step failing(String name) {
        return state -> {
            calls.add(name);
            throw new IOException(name);
        };
    }

    @ParameterizedTest
    @MethodSource("allChains")
    void lastOneListedRunsFirst(Kind kind) throws Exception {
        kind.apply(new Step[] {step("a"), step("b"), step("c")}).run(STATE);

        assertThat(calls).containsExactly("c", "b", "a");
    }

    @ParameterizedTest
    @MethodSource("chainsThatOneEnds")
    void firstOneThatThrowsEndsTheChain(Kind kind) {
        Step chain = kind.apply(new Step[] {step("a"), failing("b"), step("c")});

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> chain.run(STATE))
                .withMessage("b");
        assertThat(calls).containsExactly("c", "b");
    }

    @ParameterizedTest
    @MethodSource("chainsThatRunToTheirEnd")
    void eachRunsWhateverTheOthersThrow(Kind kind) {
        Step chain = kind.apply(new Step[] {failing("a"), step("b"), failing("c")});

        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> chain.run(STATE))
                .withMessage("c")
                .satisfies(thrown -> assertThat(thrown.getSuppressed())
                        .singleElement()
                        .satisfies(suppressed -> assertThat(suppressed).hasMessage("a")));
        assertThat(calls).containsExactly("c", "b", "a");
    }

    @ParameterizedTest
    @MethodSource("chainsThatRunToTheirEnd")
    void eachRunsWhateverErrorAnotherThrows(Kind kind) {
        Step unlinked = state -> {
            throw new NoClassDefFoundError("org/example/Gpu");
        };
        Step chain = kind.apply(new Step[] {step("a"), unlinked});

        assertThatExceptionOfType(NoClassDefFoundError.class).isThrownBy(() -> chain.run(STATE));
        assertThat(calls).containsExactly("a");
    }
}
