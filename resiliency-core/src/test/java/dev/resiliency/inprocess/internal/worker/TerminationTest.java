package dev.resiliency.inprocess.internal.worker;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import dev.resiliency.inprocess.CallWrapper.Abortable;
import dev.resiliency.inprocess.CallWrapper.AtomicSection;
import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.RestartReport.StoppedBy;
import dev.resiliency.inprocess.RestartSignal;
import dev.resiliency.inprocess.WorkerStuckException;
import dev.resiliency.inprocess.internal.cycle.FakeClock;
import dev.resiliency.inprocess.internal.cycle.Stopwatch;
import dev.resiliency.inprocess.internal.jvmti.ThreadControl;
import dev.resiliency.inprocess.internal.settings.LogPrefix;
import dev.resiliency.inprocess.internal.settings.Timings;
import dev.resiliency.inprocess.internal.watch.TestThread;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class TerminationTest {
    private static final Duration HARD_TIMEOUT = Duration.ofSeconds(90);
    private static final Duration ASYNC_STOP_DELAY = Duration.ofSeconds(5);
    private static final Timings TIMINGS = new Timings(
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            Duration.ofSeconds(1),
            Duration.ofSeconds(60),
            HARD_TIMEOUT,
            Duration.ofSeconds(300),
            Duration.ofSeconds(30),
            Duration.ofSeconds(120),
            Duration.ofSeconds(120),
            Duration.ZERO,
            Duration.ofSeconds(5),
            ASYNC_STOP_DELAY);

    private final FakeClock clock = new FakeClock();
    private final LogPrefix prefix = LogPrefix.of(Environment.single());
    private final IterationCall call = TestCalls.inIteration(0);
    private final List<Abortable> aborts = new ArrayList<>();
    private final CountDownLatch abortsEnded = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);
    private final CountDownLatch workerEnded = new CountDownLatch(1);
    private int chains;
    private @Nullable ThreadControl control;

    @AfterEach
    void endWhatIsStuck() {
        release.countDown();
    }

    private Worker<String> work(TestThread.Code code) {
        return Worker.start(
                "worker",
                () -> {
                    code.run();
                    return "returned";
                },
                workerEnded::countDown);
    }

    /** A worker that swallows every interrupt, until the test is over. */
    private void swallow() {
        boolean released = false;
        while (!released) {
            try {
                release.await();
                released = true;
            } catch (InterruptedException swallowed) {
                // as badly written code does
            }
        }
    }

    private void holdSection(CountDownLatch inside) {
        call.atomic();
        inside.countDown();
        swallow();
    }

    private void spin() {
        while (true) {
            Thread.onSpinWait();
        }
    }

    /** The abort and stop of a worker, as the restart loop performs them. */
    private final class Termination {
        private final WorkerAbort abort;
        private @Nullable WorkerStop stop;

        Termination(Worker<?> worker) {
            abort = new WorkerAbort(
                    call,
                    worker,
                    () -> {
                        chains++;
                        return AbortChain.start(prefix, "abort", aborts, clock, abortsEnded::countDown);
                    },
                    prefix,
                    HARD_TIMEOUT,
                    new Stopwatch(clock));
        }

        boolean isAborted() {
            abort.proceed();
            if (abort.isDone()) {
                abort.reportStuck();
            }
            return abort.isDone();
        }

        boolean isStopped() {
            stop().proceed();
            return stop().isDone();
        }

        StoppedBy stoppedBy() {
            return stop().stoppedBy();
        }

        private WorkerStop stop() {
            WorkerStop begun = stop == null ? new WorkerStop(abort, TIMINGS, control, new Stopwatch(clock)) : stop;
            stop = begun;
            return begun;
        }
    }

    private Termination terminate(Worker<?> worker) {
        return new Termination(worker);
    }

    private Termination terminate() {
        return terminate(work(() -> {}));
    }

    @Test
    void everyMethodOfTheCallThrowsFromTheBegin() {
        call.ping();

        terminate();

        assertThatExceptionOfType(RestartSignal.class).isThrownBy(call::ping);
    }

    @Test
    void abortActionsRunOnceAndAreWaitedFor() throws Exception {
        aborts.add(release::await);
        Termination termination = terminate();
        assertThat(termination.isAborted()).isFalse();
        assertThat(termination.isAborted()).isFalse();

        release.countDown();
        abortsEnded.await();

        assertThat(termination.isAborted()).isTrue();
        assertThat(chains).isEqualTo(1);
    }

    @Test
    void abortActionsWaitForTheEndOfAnAtomicSection() {
        AtomicSection section = call.atomic();
        Termination termination = terminate();
        assertThat(termination.isAborted()).isFalse();
        assertThat(chains).isZero();

        section.close();

        assertThat(termination.isAborted()).isTrue();
        assertThat(chains).isEqualTo(1);
    }

    @Test
    void atomicSectionThatDoesNotEndWithinTheHardTimeoutMakesTheRankLeave() {
        AtomicSection section = call.atomic();
        Termination termination = terminate(work(release::await));
        clock.advance(HARD_TIMEOUT.minusNanos(1));
        assertThat(termination.isAborted()).isFalse();
        clock.advance(Duration.ofNanos(1));

        assertThatExceptionOfType(WorkerStuckException.class)
                .isThrownBy(() -> termination.isAborted())
                .withMessageContaining("an atomic section has not ended within 90000 ms; thread worker is at");
        section.close();
    }

    @Test
    void abortActionThatIsStuckIsLeftBehindAfterItsLimit() {
        try (CapturedLog log = new CapturedLog(AbortChain.class)) {
            aborts.add(release::await);
            Termination termination = terminate();
            assertThat(termination.isAborted()).isFalse();
            clock.advance(AbortChain.LIMIT.minusNanos(1));
            assertThat(termination.isAborted()).isFalse();
            clock.advance(Duration.ofNanos(1));

            assertThat(termination.isAborted()).isTrue();
            assertThat(log.messages()).singleElement().asString().contains("abort action on thread abort-0");
        }
    }

    @Test
    void theLimitOfAbortActionsBeginsWhenTheyDo() throws Exception {
        aborts.add(release::await);
        AtomicSection section = call.atomic();
        Termination termination = terminate();
        clock.advance(AbortChain.LIMIT.multipliedBy(2));
        section.close();

        assertThat(termination.isAborted()).isFalse();

        release.countDown();
        abortsEnded.await();
        assertThat(termination.isAborted()).isTrue();
    }

    @Test
    void workerThatHasEndedNeedsNoStop() throws Exception {
        Worker<String> worker = work(() -> {});
        workerEnded.await();

        assertThat(terminate(worker).isStopped()).isTrue();
    }

    @Test
    void workerThatSwallowsTheInterruptIsInterruptedAgain() throws Exception {
        AtomicInteger swallowed = new AtomicInteger();
        CountDownLatch never = new CountDownLatch(1);
        Worker<String> worker = work(() -> {
            while (swallowed.get() < 3) {
                try {
                    never.await();
                } catch (InterruptedException e) {
                    swallowed.incrementAndGet();
                }
            }
        });
        Termination termination = terminate(worker);

        int seen = 0;
        while (!termination.isStopped()) {
            if (swallowed.get() > seen) {
                seen = swallowed.get();
                clock.advance(Duration.ofSeconds(1));
            }
            Thread.onSpinWait();
        }

        assertThat(swallowed).hasValue(3);
        assertThat(worker.ending()).isEqualTo(new Worker.Ending<>("returned", null));
    }

    /** A loop that waits again after each interrupt, and pings after the wait, reaches the ping between two of them. */
    @Test
    void workerIsInterruptedLessAndLessOften() {
        AtomicInteger swallowed = new AtomicInteger();
        Termination termination = terminate(work(() -> {
            while (release.getCount() > 0) {
                try {
                    release.await();
                } catch (InterruptedException e) {
                    swallowed.incrementAndGet();
                }
            }
        }));
        int interrupts = 0;
        for (int pause : List.of(50, 100, 200, 400, 800, 1000, 1000)) {
            assertThat(termination.isStopped()).isFalse();
            int expected = ++interrupts;
            await().until(() -> swallowed.get() >= expected);
            assertThat(swallowed).hasValue(expected);
            assertThat(termination.stop().untilNextStep())
                    .isEqualTo(Duration.ofMillis(pause).toNanos());
            clock.advance(Duration.ofMillis(pause - 1));
            assertThat(termination.isStopped()).isFalse();
            clock.advance(Duration.ofMillis(1));
        }
    }

    @Test
    void sectionOfAThreadThatHasEndedDoesNotHoldUpTheAbort() throws Exception {
        try (CapturedLog log = new CapturedLog(WorkerAbort.class)) {
            Thread helper = new Thread(call::atomic, "checkpoint-writer");
            helper.start();
            helper.join();

            assertThat(terminate(work(release::await)).isAborted()).isTrue();

            assertThat(log.messages())
                    .singleElement()
                    .asString()
                    .contains("thread checkpoint-writer has ended inside an atomic section");
        }
    }

    @Test
    void sectionThatTheFunctionLeavesOpenDoesNotHoldUpTheAbort() throws Exception {
        try (CapturedLog log = new CapturedLog(WorkerAbort.class)) {
            Worker<String> worker = work(call::atomic);
            workerEnded.await();

            assertThat(terminate(worker).isAborted()).isTrue();

            assertThat(log.messages()).singleElement().asString().contains("thread worker has ended inside");
        }
    }

    @Test
    void threadThatWaitsBehindASectionWhoseThreadHasEndedIsFreed() throws Exception {
        try (CapturedLog log = new CapturedLog(WorkerAbort.class)) {
            CountDownLatch inside = new CountDownLatch(1);
            CountDownLatch end = new CountDownLatch(1);
            Thread helper = new Thread(
                    () -> {
                        call.atomic();
                        inside.countDown();
                        awaitEnd(end);
                    },
                    "checkpoint-writer");
            helper.start();
            inside.await();
            Worker<String> worker = work(call::atomic);
            while (worker.thread().getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
            end.countDown();
            helper.join();

            terminate(worker).isAborted();
            workerEnded.await();

            assertThat(requireNonNull(worker.ending()).thrown()).isInstanceOf(RestartSignal.class);
            assertThat(log.messages()).hasSize(1);
        }
    }

    private static void awaitEnd(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void atomicSectionOfAnotherThreadIsReportedWithThatThreadsPlace() throws Exception {
        CountDownLatch inside = new CountDownLatch(1);
        new Thread(() -> holdSection(inside), "checkpoint-writer").start();
        inside.await();
        Termination termination = terminate(work(release::await));
        clock.advance(HARD_TIMEOUT);

        assertThatExceptionOfType(WorkerStuckException.class)
                .isThrownBy(termination::isAborted)
                .withMessageContaining("the section is that of thread checkpoint-writer, which is at [")
                .withMessageContaining("holdSection");
    }

    @Test
    void workerThatDoesNotEndIsReportedOnceAfterAWhile() {
        try (CapturedLog log = new CapturedLog(WorkerStop.class)) {
            Termination termination = terminate(work(this::swallow));
            assertThat(termination.isStopped()).isFalse();
            assertThat(log.messages()).isEmpty();

            clock.advance(ASYNC_STOP_DELAY);
            assertThat(termination.isStopped()).isFalse();
            assertThat(termination.isStopped()).isFalse();

            assertThat(log.messages().stream().filter(line -> line.contains("the function still runs 5000 ms")))
                    .singleElement()
                    .asString()
                    .contains("thread worker is at");
        }
    }

    @Test
    void workerThatDoesNotEndIsStoppedFromOutsideAfterTheDelay() throws Exception {
        control = ThreadControl.find();
        try (CapturedLog log = new CapturedLog(WorkerStop.class)) {
            Termination termination = terminate(work(this::spin));
            assertThat(termination.isStopped()).isFalse();
            clock.advance(ASYNC_STOP_DELAY.minusNanos(1));
            assertThat(termination.isStopped()).isFalse();
            assertThat(log.messages()).noneMatch(line -> line.contains("from outside"));
            clock.advance(Duration.ofNanos(1));
            termination.isStopped(); // true already if the thread that throws is faster than this one

            workerEnded.await();

            assertThat(termination.isStopped()).isTrue();
            assertThat(termination.stoppedBy()).isEqualTo(StoppedBy.ASYNC_STOP);
            assertThat(log.messages()).anyMatch(line -> line.contains("RestartSignal is thrown into it from outside"));
        }
    }

    @Test
    void workerThatCatchesWhateverIsThrownIsStoppedByThrowingAgain() throws Exception {
        control = ThreadControl.find();
        CountDownLatch catching = new CountDownLatch(1);
        AtomicInteger swallowed = new AtomicInteger();
        try (CapturedLog log = new CapturedLog(AsyncStop.class, Level.DEBUG)) {
            Termination termination = terminate(work(() -> {
                while (swallowed.get() < 4) {
                    try {
                        catching.countDown();
                        spin();
                    } catch (Throwable thrown) {
                        swallowed.incrementAndGet();
                    }
                }
            }));
            catching.await();
            assertThat(termination.isStopped()).isFalse();
            clock.advance(ASYNC_STOP_DELAY);
            assertThat(termination.isStopped()).isFalse();

            // A late one may strike between two attempts to catch, and end it before it has swallowed four.
            workerEnded.await();

            assertThat(termination.isStopped()).isTrue();
            while (log.messages().isEmpty()) {
                Thread.onSpinWait();
            }
            assertThat(log.messages())
                    .singleElement()
                    .asString()
                    .contains("has swallowed a RestartSignal")
                    .contains("thread worker is at");
        }
    }

    @Test
    void workerThatHadEndedBeforeTheAbortHasEndedItself() throws Exception {
        aborts.add(() -> {});
        Worker<String> worker = work(() -> {});
        workerEnded.await();
        Termination termination = terminate(worker);

        termination.isAborted();

        assertThat(termination.stoppedBy()).isEqualTo(StoppedBy.ITSELF);
    }

    @Test
    void workerThatEndsAlthoughNothingUnblocksItHasEndedItself() throws Exception {
        Termination termination = terminate(work(release::await));
        assertThat(termination.isAborted()).isTrue();

        release.countDown();
        workerEnded.await();

        assertThat(termination.stoppedBy()).isEqualTo(StoppedBy.ITSELF);
    }

    @Test
    void workerThatAnAbortActionUnblocksIsStoppedByAbort() throws Exception {
        aborts.add(release::countDown);
        Termination termination = terminate(work(release::await));

        termination.isAborted();
        workerEnded.await();

        assertThat(termination.isStopped()).isTrue();
        assertThat(termination.stoppedBy()).isEqualTo(StoppedBy.ABORT);
    }

    @Test
    void workerThatLetsASignalThroughIsStoppedByIt() throws Exception {
        Worker<String> worker = work(() -> {
            while (true) {
                call.ping();
            }
        });
        Termination termination = terminate(worker);

        workerEnded.await();

        assertThat(termination.isStopped()).isTrue();
        assertThat(termination.stoppedBy()).isEqualTo(StoppedBy.SIGNAL);
    }

    @Test
    void workerThatEndsWhenInterruptedIsStoppedByTheInterrupt() throws Exception {
        Termination termination = terminate(work(new CountDownLatch(1)::await));
        termination.isStopped(); // true already if the worker is faster than this thread

        workerEnded.await();

        assertThat(termination.isStopped()).isTrue();
        assertThat(termination.stoppedBy()).isEqualTo(StoppedBy.INTERRUPT);
    }

    @Test
    void codeThatSwallowsASignalIsFoundOnce() throws Exception {
        try (CapturedLog log = new CapturedLog(RestartSignals.class, Level.DEBUG)) {
            AtomicInteger swallowed = new AtomicInteger();
            terminate(work(() -> {
                while (swallowed.get() < 5) {
                    try {
                        call.ping();
                    } catch (RestartSignal signal) {
                        swallowed.incrementAndGet();
                    }
                }
            }));

            workerEnded.await();

            assertThat(log.messages())
                    .singleElement()
                    .asString()
                    .startsWith("thread worker has swallowed a RestartSignal")
                    .contains("IterationCall.ping");
        }
    }

    @Test
    void workerThatDoesNotEndWithinTheHardTimeoutMakesTheRankLeave() {
        Termination termination = terminate(work(this::swallow));
        assertThat(termination.isStopped()).isFalse();
        clock.advance(HARD_TIMEOUT);

        assertThatExceptionOfType(WorkerStuckException.class)
                .isThrownBy(() -> termination.isStopped())
                .withMessageContaining("could not be stopped within 90000 ms; thread worker is at");
    }
}
