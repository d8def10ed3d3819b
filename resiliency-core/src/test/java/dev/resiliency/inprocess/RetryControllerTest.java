package dev.resiliency.inprocess;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import org.junit.jupiter.api.Test;

class RetryControllerTest {

    private static State state(int worldSize, int activeWorldSize, int iteration) {
        return new State(0, 8, 0, worldSize, State.Mode.ACTIVE, 0, activeWorldSize, iteration);
    }

    private static void assertAllows(Initialize controller, State state) {
        assertThatNoException().isThrownBy(() -> controller.initialize(state));
    }

    private static void assertEnds(Initialize controller, State state, String message) {
        assertThatExceptionOfType(RestartAbort.class)
                .isThrownBy(() -> controller.initialize(state))
                .withMessage(message);
    }

    @Test
    void firstCallCountsAsOne() {
        Initialize controller = Initialize.retryController(3);

        assertAllows(controller, state(8, 8, 2));
        assertEnds(controller, state(8, 8, 3), "the function was called 3 times without success; the limit is 3");
    }

    @Test
    void callsOfEarlierGenerationsCount() {
        Initialize controller = Initialize.retryController(5);
        State anew = state(8, 8, 100);

        assertAllows(controller, anew.withOrigin(State.Entry.FOUNDED, 1, 4));
        assertEnds(
                controller,
                anew.withOrigin(State.Entry.FOUNDED, 1, 5),
                "the function was called 5 times without success; the limit is 5");
    }

    @Test
    void worldThatIsTooSmallEndsTheJob() {
        Initialize controller = Initialize.retryController(Integer.MAX_VALUE, 6, 1);

        assertAllows(controller, state(6, 1, 1_000_000));
        assertEnds(controller, state(5, 5, 1), "only 5 ranks are alive of the 8 that were started; the limit is 6");
    }

    @Test
    void tooFewActiveRanksEndTheJob() {
        Initialize controller = Initialize.retryController(Integer.MAX_VALUE, 1, 4);

        assertAllows(controller, state(8, 4, 0));
        assertEnds(controller, state(8, 3, 0), "only 3 ranks are active of the 8 that were started; the limit is 4");
    }

    @Test
    void limitBelowOneIsRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Initialize.retryController(0))
                .withMessage("maxIterations is 0: it must be at least 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Initialize.retryController(1, -1, 1))
                .withMessage("minWorldSize is -1: it must be at least 1");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Initialize.retryController(1, 1, 0))
                .withMessage("minActiveWorldSize is 0: it must be at least 1");
    }
}
