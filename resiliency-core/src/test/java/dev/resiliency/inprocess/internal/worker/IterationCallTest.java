package dev.resiliency.inprocess.internal.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.CallWrapper.Abortable;
import dev.resiliency.inprocess.CallWrapper.AtomicSection;
import dev.resiliency.inprocess.CallWrapper.HangProtectionPause;
import dev.resiliency.inprocess.RestartSignal;
import dev.resiliency.inprocess.internal.cycle.Waker;
import java.io.Closeable;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class IterationCallTest {
    private final IterationCall call = TestCalls.inIteration(2);
    private final List<String> aborted = new ArrayList<>();

    static List<Consumer<CallWrapper>> whatEndsOnceTheRestartHasBegun() {
        return List.of(
                CallWrapper::ping,
                CallWrapper::checkRestart,
                CallWrapper::atomic,
                CallWrapper::disableHangProtection,
                call -> call.keep(Object.class, Object::new));
    }

    @ParameterizedTest
    @MethodSource("whatEndsOnceTheRestartHasBegun")
    void methodThrowsOnceTheRestartHasBegun(Consumer<CallWrapper> method) {
        call.shut();

        assertThatExceptionOfType(RestartSignal.class)
                .isThrownBy(() -> method.accept(call))
                .withMessageStartingWith("iteration 2 is over");
        assertThat(call.pings()).isZero();
        assertThat(call.isHangProtectionPaused()).isFalse();
    }

    @Test
    void laterIterationFindsTheObjectsThatAnEarlierOneKept() {
        KeptObjects kept = new KeptObjects();

        StringBuilder first = kept.get(StringBuilder.class, StringBuilder::new);

        assertThat(kept.get(StringBuilder.class, StringBuilder::new)).isSameAs(first);
        assertThat(kept.get(String.class, () -> "another type")).isEqualTo("another type");
    }

    @Test
    void keptObjectsAreClosedAlsoIfOneCannotBe() {
        KeptObjects kept = new KeptObjects();
        AtomicInteger closed = new AtomicInteger();
        AutoCloseable broken = () -> {
            closed.incrementAndGet();
            throw new IOException("is stuck");
        };
        Closeable sound = closed::incrementAndGet;
        kept.get(AutoCloseable.class, () -> broken);
        kept.get(Closeable.class, () -> sound);
        kept.get(String.class, () -> "needs no end");

        kept.close();

        assertThat(closed).hasValue(2);
    }

    @Test
    void hookRunsUntilItHasSucceededOnce() throws Exception {
        AtomicInteger runs = new AtomicInteger();
        OncePrepared once = new OncePrepared(() -> {
            if (runs.incrementAndGet() == 1) {
                throw new IOException("not yet");
            }
        });

        assertThatExceptionOfType(IOException.class).isThrownBy(once::prepare);
        once.prepare();
        once.prepare();

        assertThat(runs).hasValue(2);
    }

    @Test
    void sectionThatIsOpenWhenTheRestartBeginsIsNotCutByAPing() {
        AtomicSection section = call.atomic();
        call.shut();

        call.ping();

        section.close();
        assertThatExceptionOfType(RestartSignal.class).isThrownBy(call::ping);
    }

    @Test
    void stateAndStoreStayWhenTheRestartHasBegun() throws Exception {
        call.shut();

        assertThat(call.iteration()).isEqualTo(2);
        call.store().set("key", "value");
        assertThat(call.store().get("key").text()).isEqualTo("value");
    }

    @Test
    void sectionOfAThreadThatHasEndedIsOver() throws Exception {
        Thread ended = new Thread(call::atomic);
        ended.start();
        ended.join();
        assertThat(call.sectionOwner()).isSameAs(ended);

        call.closeSectionFor(ended);

        assertThat(call.sectionOwner()).isNull();
    }

    @Test
    void sectionThatHasJustEndedIsKnown() {
        assertThat(call.wasInSection(Duration.ofDays(1))).isFalse();
        AtomicSection section = call.atomic();
        assertThat(call.wasInSection(Duration.ZERO)).isTrue();

        section.close();

        assertThat(call.wasInSection(Duration.ofDays(1))).isTrue();
        assertThat(call.wasInSection(Duration.ZERO)).isFalse();
    }

    @Test
    void pingChangesTheCount() {
        long before = call.pings();
        call.checkRestart();
        assertThat(call.pings()).isEqualTo(before);

        call.ping();

        assertThat(call.pings()).isNotEqualTo(before);
    }

    @Test
    void abortablesAreTakenOnceNewestFirst() throws Exception {
        call.onAbort(() -> aborted.add("older"));
        call.onAbort(() -> aborted.add("newer"));

        for (Abortable each : call.takeAbortables()) {
            each.abort();
        }

        assertThat(aborted).containsExactly("newer", "older");
        assertThat(call.takeAbortables()).isEmpty();
    }

    @Test
    void actionRegisteredBetweenTheRestartAndItsAbortStillRuns() {
        call.shut();

        call.onAbort(() -> {});

        assertThat(call.takeAbortables()).hasSize(1);
    }

    @Test
    void actionRegisteredAfterTheAbortRunsAtOnce() {
        assertThat(call.takeAbortables()).isEmpty();

        assertThatExceptionOfType(RestartSignal.class)
                .isThrownBy(() -> call.onAbort(() -> aborted.add("late")))
                .satisfies(signal -> assertThat(signal.getSuppressed()).isEmpty());
        assertThat(aborted).containsExactly("late");
    }

    @Test
    void failureOfALateAbortIsSuppressedInTheSignal() {
        assertThat(call.takeAbortables()).isEmpty();
        IOException failure = new IOException("already closed");

        assertThatExceptionOfType(RestartSignal.class)
                .isThrownBy(() -> call.onAbort(() -> {
                    throw failure;
                }))
                .satisfies(signal -> assertThat(signal.getSuppressed()).containsExactly(failure));
    }

    @Test
    void closingAPauseIsIdempotent() {
        HangProtectionPause one = call.disableHangProtection();
        HangProtectionPause other = call.disableHangProtection();

        one.close();
        one.close();
        assertThat(call.isHangProtectionPaused()).isTrue();

        other.close();
        assertThat(call.isHangProtectionPaused()).isFalse();
    }

    /** The store may be out of reach for longer than the soft timeout, which must cost nobody anything. */
    @Test
    void functionThatWaitsForTheStoreToConfirmDoesNotHang() {
        CompletableFuture<Boolean> answer = new CompletableFuture<>();
        IterationCall confirming = TestCalls.inIteration(0, new Waker(), () -> answer);
        CompletableFuture<Void> function = CompletableFuture.runAsync(() -> {
            try (AtomicSection section = confirming.atomic()) {
                section.confirm();
            }
        });
        await().until(confirming::isHangProtectionPaused);

        answer.complete(true);

        function.join();
        assertThat(confirming.isHangProtectionPaused()).isFalse();
    }

    @Test
    void actionRegisteredDuringTheAbortRunsExactlyOnce() throws Exception {
        for (int i = 0; i < 500; i++) {
            IterationCall each = TestCalls.inIteration(0);
            AtomicInteger aborts = new AtomicInteger();
            CyclicBarrier start = new CyclicBarrier(2);
            CompletableFuture<Void> worker = CompletableFuture.runAsync(() -> {
                try {
                    start.await();
                    each.onAbort(aborts::incrementAndGet);
                } catch (RestartSignal late) {
                    assertThat(aborts).hasValue(1);
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
            start.await();
            for (Abortable taken : each.takeAbortables()) {
                taken.abort();
            }
            worker.get();
            assertThat(aborts).hasValue(1);
        }
    }

    @Test
    void waitForOtherRanksIsAPauseThatSaysSo() {
        IterationCall call = TestCalls.inIteration(0);
        assertThat(call.isWaitingForPeers()).isFalse();

        CallWrapper.HangProtectionPause wait = call.waitsForPeers();
        assertThat(call.isWaitingForPeers()).isTrue();
        assertThat(call.isHangProtectionPaused()).isTrue();

        wait.close();
        wait.close();
        assertThat(call.isWaitingForPeers()).isFalse();
        assertThat(call.isHangProtectionPaused()).isFalse();
    }

    @Test
    void firstPingIsTimedAndTheNextAreNot() {
        IterationCall call = TestCalls.inIteration(0);
        long before = System.nanoTime();
        call.ping();
        long first = call.firstPing();
        assertThat(first).isBetween(before, System.nanoTime());

        call.ping();

        assertThat(call.firstPing()).isEqualTo(first);
        assertThat(call.pings()).isEqualTo(2);
    }
}
