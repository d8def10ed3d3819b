package dev.resiliency.inprocess.hook;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.resiliency.inprocess.Mode;
import dev.resiliency.inprocess.State;
import org.junit.jupiter.api.Test;

class FaultCounterTest {
    private static final State STATE = new State(3, 8, 3, 8, Mode.ACTIVE, 3, 8, 5);

    @Test
    void asManyFaultsAsTheLimitAreAllowed() {
        assertThatNoException().isThrownBy(() -> new FaultCounter(2).check(STATE.withFaults(2)));
    }

    @Test
    void oneMoreIsUnhealthy() {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> new FaultCounter(2).check(STATE.withFaults(3)))
                .withMessage("initial rank 3 has failed 3 times; the limit is 2");
    }

    @Test
    void rankWithoutFaultsIsHealthyUnderTheStrictestLimit() {
        assertThatNoException().isThrownBy(() -> new FaultCounter(0).check(STATE));
    }

    @Test
    void negativeLimitIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new FaultCounter(-1))
                .withMessage("maxFaults is -1: it must not be negative");
    }
}
