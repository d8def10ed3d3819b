package dev.resiliency.inprocess.internal.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;

import dev.resiliency.inprocess.CallWrapper.AtomicSection;
import dev.resiliency.inprocess.RestartSignal;
import dev.resiliency.inprocess.internal.cycle.Waker;
import dev.resiliency.store.SessionExpiredException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AtomicGateTest {
    private final Waker waker = mock(Waker.class);
    private final CompletableFuture<Boolean> membership = new CompletableFuture<>();
    private final AtomicGate gate = new AtomicGate(new RestartSignals(3), waker, () -> membership);

    @Test
    void sectionIsReentrant() {
        AtomicSection outer = gate.enter();
        gate.enter().close();
        assertThat(gate.owner()).isNotNull();

        outer.close();

        assertThat(gate.owner()).isNull();
        verify(waker, never()).wake();
    }

    /** The restart loop shuts the gate: nothing that a function does may park it. */
    @Test
    void overflowOfTheStackAnywhereInASectionKeepsNobodyFromShuttingTheGate() throws InterruptedException {
        for (int i = 0; i < 100; i++) {
            AtomicGate struck = new AtomicGate(new RestartSignals(3), new Waker(), () -> membership);
            int padding = i;
            Thread function = new Thread(null, () -> overflow(struck, padding), "function", 256 << 10);
            function.start();
            function.join();

            struck.shut();
            struck.closeFor(function);

            assertThat(struck.owner()).isNull();
        }
    }

    /** Recurses with frames of other sizes in the beginning, so that the end of the stack is reached at other instructions. */
    private static int overflow(AtomicGate gate, int padding) {
        try {
            return padding > 0 ? 1 + overflow(gate, padding - 1) : nest(gate);
        } catch (StackOverflowError expected) {
            return 0;
        }
    }

    @SuppressWarnings({"try", "InfiniteRecursion"}) // the section only needs to be open, and the stack to end
    private static int nest(AtomicGate gate) {
        try (AtomicSection section = gate.enter()) {
            return 1 + nest(gate);
        }
    }

    @Test
    void sectionOfAThreadThatHasEndedKeepsNoOtherOut() throws InterruptedException {
        Thread function = new Thread(gate::enter);
        function.start();
        function.join();

        gate.enter().close();

        assertThat(gate.owner()).isNull();
    }

    @Test
    void memberOfTheJobIsConfirmedEvenWhileTheRestartWaits() {
        try (AtomicSection section = gate.enter()) {
            gate.shut();
            membership.complete(true);

            section.confirm();
        }
    }

    @Test
    void rankThatTheOthersHaveGoneOnWithoutIsStopped() {
        try (AtomicSection section = gate.enter()) {
            membership.complete(false);

            assertThatExceptionOfType(RestartSignal.class).isThrownBy(section::confirm);
        }
    }

    @Test
    void rankWhoseSessionHasEndedIsStopped() {
        try (AtomicSection section = gate.enter()) {
            membership.completeExceptionally(new SessionExpiredException("the lease of the session has expired"));

            assertThatExceptionOfType(RestartSignal.class)
                    .isThrownBy(section::confirm)
                    .satisfies(signal -> assertThat(signal.getSuppressed()).hasSize(1));
        }
    }

    @Test
    void nothingIsConfirmedOutsideOfASection() {
        AtomicSection section = gate.enter();
        section.close();

        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(section::confirm);
    }

    @Test
    void noSectionBeginsOnceTheGateIsShut() {
        gate.shut();

        assertThatExceptionOfType(RestartSignal.class).isThrownBy(gate::enter).withMessageStartingWith("iteration 3 ");
        assertThat(gate.owner()).isNull();
    }

    @Test
    void sectionThatRunsWhenTheGateIsShutKeepsItFromBeingQuietAndWakesAtItsEnd() {
        AtomicSection section = gate.enter();
        gate.shut();
        assertThat(gate.owner()).isNotNull();
        verify(waker, never()).wake();

        section.close();

        assertThat(gate.owner()).isNull();
        verify(waker).wake();
    }

    @Test
    void sectionInAnOpenOneBeginsEvenWhenTheGateIsShut() {
        AtomicSection outer = gate.enter();
        gate.shut();

        gate.enter().close();

        assertThat(gate.owner()).isNotNull();
        outer.close();
        assertThat(gate.owner()).isNull();
    }

    @Test
    void threadThatWaitsForASectionIsRejectedIfTheGateIsShutMeanwhile() throws Exception {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        AtomicSection section = gate.enter();
        Thread waiting = new Thread(gate::enter);
        waiting.setUncaughtExceptionHandler((thread, error) -> thrown.set(error));
        waiting.setDaemon(true);
        waiting.start();
        await().until(() -> waiting.getState() == Thread.State.WAITING);

        gate.shut();
        section.close();

        waiting.join();
        assertThat(thrown).hasValueMatching(RestartSignal.class::isInstance);
        assertThat(gate.owner()).isNull();
    }

    @Test
    void threadThatWaitsForASectionEntersItWhenTheOneBeforeEnds() throws Exception {
        AtomicSection section = gate.enter();
        Thread waiting = new Thread(() -> gate.enter().close());
        waiting.setDaemon(true);
        waiting.start();
        await().until(() -> waiting.getState() == Thread.State.WAITING);

        section.close();

        waiting.join(Duration.ofSeconds(20).toMillis());
        assertThat(waiting.isAlive()).isFalse();
        assertThat(gate.owner()).isNull();
    }

    @Test
    void rejectedEntryNeverLooksLikeASection() throws Exception {
        gate.shut();
        AtomicBoolean over = new AtomicBoolean();
        Thread refused = new Thread(() -> {
            while (!over.get()) {
                assertThatExceptionOfType(RestartSignal.class).isThrownBy(gate::enter);
            }
        });
        refused.start();
        for (int i = 0; i < 1_000; i++) {
            assertThat(gate.owner()).isNull();
        }
        over.set(true);
        refused.join();
    }

    @Test
    void threadThatWaitsForASectionIsRejectedAsSoonAsTheGateIsShut() throws Exception {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        AtomicSection section = gate.enter();
        Thread waiting = new Thread(gate::enter);
        waiting.setUncaughtExceptionHandler((thread, error) -> thrown.set(error));
        waiting.setDaemon(true);
        waiting.start();
        await().until(() -> waiting.getState() == Thread.State.WAITING);

        gate.shut();

        waiting.join(Duration.ofSeconds(20).toMillis());
        assertThat(thrown).hasValueMatching(RestartSignal.class::isInstance);
        section.close();
    }

    @Test
    void sectionOfAThreadThatHasEndedIsClosedForIt() throws Exception {
        Thread ended = new Thread(gate::enter);
        ended.start();
        ended.join();
        gate.shut();
        assertThat(gate.owner()).isSameAs(ended);

        gate.closeFor(ended);

        assertThat(gate.owner()).isNull();
    }

    @Test
    void sectionIsClosedByItsOwnThreadOnly() throws Exception {
        AtomicSection section = gate.enter();
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        Thread other = new Thread(section::close);
        other.setUncaughtExceptionHandler((thread, error) -> thrown.set(error));
        other.start();
        other.join();

        assertThat(thrown).hasValueMatching(IllegalMonitorStateException.class::isInstance);
        section.close();
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(section::close);
    }

    @Test
    void noSectionRunsAfterTheShutGateWasSeenQuiet() throws Exception {
        List<Round> rounds = Stream.generate(Round::new).limit(500).toList();
        CyclicBarrier turn = new CyclicBarrier(2);
        Thread worker = new Thread(() -> {
            for (Round round : rounds) {
                meet(turn);
                round.enterUntilRefused();
            }
        });
        worker.start();
        for (Round round : rounds) {
            meet(turn);
            while (round.sections < 3) {
                Thread.onSpinWait();
            }
            round.gate.shut();
            while (round.gate.owner() != null) {
                Thread.onSpinWait();
            }
            round.quiet = true;
        }
        worker.join();
        assertThat(rounds).noneMatch(round -> round.violated);
    }

    private static void meet(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (InterruptedException | BrokenBarrierException e) {
            throw new AssertionError(e);
        }
    }

    private static final class Round {
        final AtomicGate gate = new AtomicGate(new RestartSignals(0), new Waker(), CompletableFuture::new);
        volatile int sections;
        volatile boolean quiet;
        volatile boolean violated;

        @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
        void enterUntilRefused() {
            try {
                while (!violated) {
                    AtomicSection section = gate.enter();
                    sections++;
                    for (int i = 0; i < 10; i++) {
                        Thread.onSpinWait();
                    }
                    violated = quiet;
                    section.close();
                }
            } catch (RestartSignal refused) {
                assertThat(gate.stopsThisThread()).isTrue();
            }
        }
    }
}
