package dev.resiliency.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

import dev.resiliency.inprocess.CallWrapper.AtomicSection;
import dev.resiliency.inprocess.CallWrapper.HangProtectionPause;
import dev.resiliency.inprocess.RestartSignal;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class FakeCallWrapperTest {
    private final FakeCallWrapper call = new FakeCallWrapper();

    private static void assertSignals(ThrowingCallable method) {
        assertThatExceptionOfType(RestartSignal.class).isThrownBy(method);
    }

    @Test
    void pingsAndAtomicSectionsAreCounted() {
        call.ping();
        call.ping();
        try (AtomicSection outer = call.atomic();
                AtomicSection inner = call.atomic()) {
            assertThat(outer).isNotSameAs(inner);
            assertThat(call.isInAtomicSection()).isTrue();
        }

        assertThat(call.pings()).isEqualTo(2);
        assertThat(call.atomicSections()).isEqualTo(1);
        assertThat(call.isInAtomicSection()).isFalse();
    }

    @Test
    void functionStopsAtTheSafePointThatTheTestNames() {
        call.step(5);
        assertThat(call.latestStep()).isEqualTo(5);
        assertThat(call.pings()).isEqualTo(1);

        call.stopAtSafePoint(7);

        call.step(6);
        assertSignals(() -> call.step(7));
        assertThat(call.latestStep()).isEqualTo(6);
    }

    @Test
    void safePointsMustGrow() {
        call.step(5);

        assertThatExceptionOfType(IllegalArgumentException.class).isThrownBy(() -> call.step(5));
        assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> call.stopAtSafePoint(5));
    }

    @Test
    void firstReasonToLeaveIsKept() {
        assertThat(call.leaveReason()).isNull();

        call.leave("the time limit is near");
        call.leave("again");

        assertThat(call.leaveReason()).isEqualTo("the time limit is near");
    }

    @Test
    void hangProtectionIsOffUntilEveryPauseIsClosed() {
        HangProtectionPause one = call.disableHangProtection();
        HangProtectionPause other = call.disableHangProtection();
        one.close();
        one.close();
        assertThat(call.isHangProtectionDisabled()).isTrue();
        other.close();
        assertThat(call.isHangProtectionDisabled()).isFalse();
    }

    @Test
    void everyCallThrowsOnceTheRestartHasBegun() throws Exception {
        call.beginRestart();

        assertSignals(call::ping);
        assertSignals(call::checkRestart);
        assertSignals(() -> call.step(1));
        assertSignals(() -> call.leave("the time limit is near"));
        assertSignals(call::atomic);
        assertSignals(call::disableHangProtection);
        assertThat(call.pings()).isZero();
        assertThat(call.state().isActive()).isTrue();
        assertThat(call.store().keyCount()).isZero();
    }

    @Test
    void abortActionsRunNewestFirstAndOnce() throws Exception {
        CompletableFuture<Void> newerHasRun = new CompletableFuture<>();
        List<String> ran = new CopyOnWriteArrayList<>();
        call.onAbort(() -> {
            newerHasRun.get(10, TimeUnit.SECONDS);
            ran.add("older");
        });
        call.onAbort(() -> {
            ran.add("newer");
            newerHasRun.complete(null);
        });

        call.restart();
        call.restart();

        assertThat(ran).containsExactly("newer", "older");
        assertThat(call.abortables()).isEmpty();
    }

    @Test
    void lateActionRunsAtOnce() throws Exception {
        List<String> ran = new CopyOnWriteArrayList<>();
        call.restart();

        assertSignals(() -> call.onAbort(() -> ran.add("late")));
        assertThat(ran).containsExactly("late");
    }

    @Test
    void abortActionThatThrowsFailsTheTest() {
        IOException failure = new IOException("closed");
        call.onAbort(() -> {
            throw failure;
        });

        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(call::restart)
                .withMessageContaining("closed")
                .satisfies(error -> assertThat(error.getSuppressed()).containsExactly(failure));
    }

    @Test
    void restartWaitsForAnAtomicSectionWhichStillPings() throws Exception {
        CompletableFuture<Void> entered = new CompletableFuture<>();
        CompletableFuture<Void> leave = new CompletableFuture<>();
        CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
            try (AtomicSection section = call.atomic()) {
                assertThat(section).isNotNull();
                entered.complete(null);
                leave.join();
                assertThatNoException().isThrownBy(call::ping);
                call.onAbort(() -> {});
            }
            assertSignals(call::ping);
        });
        entered.join();
        call.beginRestart();
        leave.complete(null);

        call.restart();

        writer.get(10, TimeUnit.SECONDS);
        assertThat(call.pings()).isEqualTo(1);
        assertThat(call.atomicSections()).isEqualTo(1);
    }

    @Test
    void nextIterationFindsWhatThisOneKeeps() {
        StringBuilder kept = call.keep(StringBuilder.class, StringBuilder::new);
        call.beginRestart();

        FakeCallWrapper next = call.next(call.state(), call.store());

        assertThat(next.keep(StringBuilder.class, StringBuilder::new)).isSameAs(kept);
        assertSignals(() -> call.keep(StringBuilder.class, StringBuilder::new));
    }
}
