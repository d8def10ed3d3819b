package dev.resiliency.inprocess.internal.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.verifyNoMoreInteractions;

import dev.resiliency.inprocess.RestartSignal;
import dev.resiliency.inprocess.internal.cycle.Waker;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SafePointGateTest {
    private final Waker waker = mock(Waker.class);
    private final SafePointGate gate = new SafePointGate(new RestartSignals(3), waker);

    private void assertStopsAt(long step) {
        assertThatExceptionOfType(RestartSignal.class).isThrownBy(() -> gate.pass(step));
    }

    @Test
    void onlyTheFirstStepWakesTheRank() {
        assertThat(gate.isUsed()).isFalse();

        gate.pass(5);
        gate.pass(6);
        gate.pass(8);

        assertThat(gate.isUsed()).isTrue();
        assertThat(gate.latest()).isEqualTo(8);
        verify(waker).wake();
        verifyNoMoreInteractions(waker);
    }

    @Test
    void functionStopsAtTheAnnouncedStepAndNoEarlier() {
        gate.pass(5);
        gate.announce(8);

        gate.pass(6);
        gate.pass(7);
        assertThat(gate.hasStopped()).isFalse();
        assertThat(gate.latest()).isEqualTo(7);
        assertStopsAt(8);

        assertThat(gate.hasStopped()).isTrue();
        assertThat(gate.hasMissed()).isFalse();
        verify(waker, times(3)).wake(); // for the first step, the announcement and the stop
    }

    @Test
    void firstStepStaysTheFirst() {
        assertThat(gate.first()).isNegative();
        gate.pass(5);
        gate.pass(6);

        gate.announce(9);
        gate.pass(7);

        assertThat(gate.first()).isEqualTo(5);
    }

    @Test
    void firstStepMayComeAfterTheAnnouncement() {
        gate.announce(9);
        gate.pass(6);
        gate.pass(7);

        assertThat(gate.first()).isEqualTo(6);
        assertThat(gate.isUsed()).isTrue();
        assertThat(gate.announced()).isEqualTo(9);
    }

    @Test
    void functionThatSwallowsTheSignalGetsItAgain() {
        gate.pass(5);
        gate.announce(6);
        assertStopsAt(6);

        assertStopsAt(7);
        assertStopsAt(6);

        assertThat(gate.hasMissed()).isFalse();
    }

    @Test
    void stepThatIsAnnouncedTooLateIsMissed() {
        gate.pass(8);

        gate.announce(8);

        assertThat(gate.hasMissed()).isTrue();
        assertThatCode(() -> gate.pass(9)).doesNotThrowAnyException();
        assertThat(gate.hasStopped()).isFalse();
    }

    @Test
    void stepThatIsLeftOutIsMissed() {
        gate.pass(5);
        gate.announce(7);

        gate.pass(8);

        assertThat(gate.hasMissed()).isTrue();
        verify(waker, times(3)).wake(); // for the first step, the announcement and the missed stop
    }

    @Test
    void repeatedAnnouncementHasNoEffect() {
        gate.pass(5);
        gate.announce(7);
        gate.pass(6);

        gate.announce(6);

        assertThat(gate.hasMissed()).isFalse();
        assertStopsAt(7);
    }

    @Test
    void stepsMustGrow() {
        assertThatIllegalArgumentException().isThrownBy(() -> gate.pass(-1)).withMessageContaining("counted from 0");
        gate.pass(5);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> gate.pass(5))
                .withMessageStartingWith("step 5 comes after step 5: ");
        gate.announce(9);
        assertThatIllegalArgumentException().isThrownBy(() -> gate.pass(4));
        gate.pass(6);
        assertThatIllegalArgumentException().isThrownBy(() -> gate.pass(6));
    }

    /** The race of the function with the announcement: it either stops at the step, or is known to have missed it. */
    @Test
    void functionEitherStopsAtTheStepOrIsKnownToHaveMissedIt() throws Exception {
        for (int round = 0; round < 1000; round++) {
            long announced = 20L + round % 40;
            SafePointGate raced = new SafePointGate(new RestartSignals(3), new Waker());
            CyclicBarrier start = new CyclicBarrier(2);
            CompletableFuture<Long> stoppedAt = CompletableFuture.supplyAsync(() -> {
                await(start);
                for (long step = 0; step < 100; step++) {
                    try {
                        raced.pass(step);
                    } catch (RestartSignal stopped) {
                        return step;
                    }
                }
                return -1L;
            });
            await(start);
            raced.announce(announced);
            long end = stoppedAt.get(20, TimeUnit.SECONDS);

            assertThat(raced.hasStopped()).isEqualTo(end == announced);
            assertThat(raced.hasMissed()).isEqualTo(end == -1);
            assertThat(end == announced || end == -1).isTrue();
        }
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await(20, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
