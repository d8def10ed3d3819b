package dev.resiliency.inprocess;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatNoException;

import org.junit.jupiter.api.Test;

class FaultCounterTest {
    private static final State STATE = new State(3, 8, 3, 8, State.Mode.ACTIVE, 3, 8, 5);

    @Test
    void faultsUpToTheLimitAreAllowed() {
        assertThatNoException().isThrownBy(() -> HealthCheck.faultCounter(2).check(STATE.withFaults(2)));
    }

    @Test
    void oneMoreFaultIsUnhealthy() {
        assertThatExceptionOfType(IllegalStateException.class)
                .isThrownBy(() -> HealthCheck.faultCounter(2).check(STATE.withFaults(3)))
                .withMessage("rank 3 has failed 3 times; the limit is 2");
    }

    @Test
    void rankWithoutFaultsIsHealthyUnderTheStrictestLimit() {
        assertThatNoException().isThrownBy(() -> HealthCheck.faultCounter(0).check(STATE));
    }

    @Test
    void negativeLimitIsRejected() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> HealthCheck.faultCounter(-1))
                .withMessage("maxFaults is -1: it must not be negative");
    }
}
