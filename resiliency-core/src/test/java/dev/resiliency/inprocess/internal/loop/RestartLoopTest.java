package dev.resiliency.inprocess.internal.loop;

import static dev.resiliency.inprocess.internal.loop.LoopState.AWAITING;
import static dev.resiliency.inprocess.internal.loop.LoopState.BACKING_OFF;
import static dev.resiliency.inprocess.internal.loop.LoopState.CHECKING_HEALTH;
import static dev.resiliency.inprocess.internal.loop.LoopState.CLOSED;
import static dev.resiliency.inprocess.internal.loop.LoopState.FINALIZING;
import static dev.resiliency.inprocess.internal.loop.LoopState.FINISHING;
import static dev.resiliency.inprocess.internal.loop.LoopState.FOUNDING;
import static dev.resiliency.inprocess.internal.loop.LoopState.LAST_CALL;
import static dev.resiliency.inprocess.internal.loop.LoopState.LEAVING;
import static dev.resiliency.inprocess.internal.loop.LoopState.REGROUPING;
import static dev.resiliency.inprocess.internal.loop.LoopState.RUNNING;
import static dev.resiliency.inprocess.internal.loop.LoopState.STOPPING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.ArgumentMatchers.contains;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.Elasticity;
import dev.resiliency.inprocess.Elasticity.Admission;
import dev.resiliency.inprocess.HealthCheckException;
import dev.resiliency.inprocess.Initialize;
import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.Interruption.Kind;
import dev.resiliency.inprocess.RankDiscardedException;
import dev.resiliency.inprocess.RankFencedException;
import dev.resiliency.inprocess.ResiliencyException;
import dev.resiliency.inprocess.RestartAbort;
import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.inprocess.RestartReport.Phase;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.WorkerStuckException;
import dev.resiliency.inprocess.internal.loop.SteppedRank.Scenario;
import dev.resiliency.inprocess.internal.protocol.RestartStore;
import dev.resiliency.inprocess.internal.watch.Supervision;
import dev.resiliency.inprocess.rank.RankAssignment;
import dev.resiliency.store.BarrierTimeoutException;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.SessionExpiredException;
import dev.resiliency.store.StoreLostException;
import dev.resiliency.store.StoreRequestException;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.ForwardingStore;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.Parts;
import java.io.EOFException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Faults at every point of the restart loop, stepped by hand. Together the tests cover every transition. */
class RestartLoopTest {
    private static final Logger LOGGER = (Logger) org.slf4j.LoggerFactory.getLogger(RestartLoop.class);
    private static final ListAppender<ILoggingEvent> LOG = new ListAppender<>();

    @BeforeAll
    static void recordTransitions() {
        LOG.start();
        LOGGER.setLevel(Level.DEBUG);
        LOGGER.setAdditive(false);
        LOGGER.addAppender(LOG);
    }

    @AfterAll
    static void everyTransitionWasVisited() {
        LOGGER.detachAppender(LOG);
        LOGGER.setAdditive(true);
        LOGGER.setLevel(null);
        Set<String> visited = new TreeSet<>();
        for (ILoggingEvent event : LOG.list) {
            if (event.getMessage().equals("{} {} -> {}")) {
                visited.add(event.getArgumentArray()[1] + " -> " + event.getArgumentArray()[2]);
            }
        }
        assertThat(visited).isEqualTo(new TreeSet<>(Transitions.OF_FOUNDERS));
    }

    @Test
    void jobWithoutFaultsCompletesOnAllRanks() {
        try (SteppedJob job = new SteppedJob(3)) {
            job.untilAll(RUNNING);
            job.ranks().forEach(rank -> rank.orderReturn("done"));

            job.untilAll(CLOSED);

            assertThat(job.ranks()).allSatisfy(rank -> {
                assertThat(rank.loop.result()).isEqualTo("done");
                assertThat(rank.loop.departure()).isNull();
                assertThat(rank.reports).isEmpty();
            });
        }
    }

    @Test
    void exceptionRestartsAllRanks() {
        try (SteppedJob job = new SteppedJob(2)) {
            job.untilAll(RUNNING);
            job.rank(1).orderThrow(new IllegalStateException("NaN"));

            job.restart();

            assertThat(job.ranks())
                    .allSatisfy(rank ->
                            assertInterruptions(rank, "EXCEPTION on rank 1 (java.lang.IllegalStateException: NaN)"));
        }
    }

    @Test
    void stackTraceIsLoggedAfterTheRestart() {
        Scenario scenario = new Scenario();
        scenario.log = mock();
        try (SteppedJob job = new SteppedJob(1, scenario)) {
            job.untilAll(RUNNING);
            IllegalStateException failure = new IllegalStateException("NaN");
            job.rank(0).orderThrow(failure);
            job.untilAll(LAST_CALL);
            verify(scenario.log, never()).warn(anyString(), any(), any());

            job.restart();

            verify(scenario.log).warn(contains("the function failed"), any(), eq(failure));
        }
    }

    @Test
    void failureOfAnInitializeHookIsLoggedAsThat() {
        IllegalStateException failure = new IllegalStateException("no data set");
        Scenario scenario = new Scenario();
        scenario.log = mock();
        scenario.initialize = state -> {
            if (state.iteration() == 0) {
                throw failure;
            }
        };
        try (SteppedJob job = new SteppedJob(1, scenario)) {
            job.restart();

            verify(scenario.log).warn(contains("the initialize hook failed"), any(), eq(failure));
        }
    }

    @Test
    void stackTraceIsLoggedDuringARestartThatTakesLong() {
        Scenario scenario = new Scenario();
        scenario.log = mock();
        try (SteppedJob job = new SteppedJob(2, scenario)) {
            job.untilAll(RUNNING);
            IllegalStateException failure = new IllegalStateException("NaN");
            job.rank(1).orderThrow(failure);
            job.untilAll(LAST_CALL);
            job.passLastCall();
            job.only(job.rank(1), REGROUPING);
            job.rank(1).loop.step();
            verify(scenario.log, never()).warn(anyString(), any(), any());

            job.rank(1).clock.advance(Duration.ofSeconds(1));
            job.rank(1).loop.step();

            verify(scenario.log).warn(contains("the function failed"), any(), eq(failure));
        }
    }

    @Test
    void faultAfterSomeRanksHaveCompletedRestartsAll() {
        try (SteppedJob job = new SteppedJob(2)) {
            job.untilAll(RUNNING);
            job.rank(0).orderReturn("too early");
            job.until(AWAITING, job.rank(0));
            job.rank(1).orderThrow(new IllegalStateException("NaN"));

            job.restart();

            job.ranks().forEach(rank -> rank.orderReturn("done"));
            job.untilAll(CLOSED);
            assertThat(job.rank(0).loop.result()).isEqualTo("done");
        }
    }

    @Test
    void faultsAtOnceGiveSeveralRecordsAndOneRestart() throws Exception {
        try (SteppedJob job = new SteppedJob(3)) {
            job.untilAll(RUNNING);
            List<Thread> workers = List.of(job.rank(0).worker(), job.rank(1).worker());
            job.rank(0).orderThrow(new IllegalStateException("first"));
            job.rank(1).orderThrow(new IllegalStateException("second"));
            for (Thread worker : workers) {
                worker.join();
            }

            job.restart();

            assertInterruptions(
                    job.rank(2),
                    "EXCEPTION on rank 0 (java.lang.IllegalStateException: first)",
                    "EXCEPTION on rank 1 (java.lang.IllegalStateException: second)");
            assertThat(lastReport(job.rank(2)).state().iteration()).isEqualTo(1);
        }
    }

    /** A function that fails closes its connections first, and may be stopped before it is known to have failed. */
    @Test
    void whatTheFunctionThrewAsItWasStoppedIsTheCauseIfTheOthersHaveOnlyLostTheirConnections() {
        Scenario scenario = new Scenario();
        scenario.log = mock();
        CompletableFuture<Void> isAborted = new CompletableFuture<>();
        IllegalStateException failure = new IllegalStateException("NaN");
        try (SteppedJob job = new SteppedJob(2, scenario)) {
            job.untilAll(RUNNING);
            CountDownLatch waits = new CountDownLatch(1);
            job.rank(1).orderAndAwaitBegin(call -> {
                call.onAbort(() -> isAborted.complete(null));
                waits.countDown();
                isAborted.join(); // which no interrupt ends
                throw failure;
            });
            job.until(() -> waits.getCount() == 0, "the function to wait");
            job.rank(0).orderThrow(new UncheckedIOException(new EOFException()));

            job.restart();

            assertThat(job.ranks())
                    .allSatisfy(rank -> assertInterruptions(
                            rank,
                            "EXCEPTION on rank 1 (java.lang.IllegalStateException: NaN)",
                            "CONNECTION_LOST on rank 0 (java.io.UncheckedIOException: java.io.EOFException)"));
            verify(scenario.log).warn(contains("threw this as it was stopped"), any(), eq(failure));
        }
    }

    @Test
    void rankThatHasNotOnlyFollowedComesFirstAndIsTheLastFault() throws Exception {
        try (SteppedJob job = new SteppedJob(3)) {
            job.untilAll(RUNNING);
            List<Thread> workers = List.of(job.rank(0).worker(), job.rank(1).worker());
            job.rank(0).orderThrow(new UncheckedIOException(new EOFException()));
            job.rank(1).orderThrow(new IllegalStateException("NaN"));
            for (Thread worker : workers) {
                worker.join();
            }

            job.restart();

            assertThat(lastReport(job.rank(2)).interruptions())
                    .extracting(Interruption::kind)
                    .containsExactly(Kind.EXCEPTION, Kind.CONNECTION_LOST);
            assertThat(job.ranks())
                    .allSatisfy(rank -> assertThat(lastReport(rank).state().lastFault())
                            .isEqualTo("EXCEPTION on rank 1 (java.lang.IllegalStateException: NaN)"));
        }
    }

    @Test
    void exceptionInInitializeRestartsAllRanks() {
        AtomicInteger failures = new AtomicInteger(1);
        Scenario scenario = new Scenario();
        scenario.initialize = state -> {
            if (state.initialRank() == 0 && failures.getAndDecrement() > 0) {
                throw new IllegalStateException("no data yet");
            }
        };
        try (SteppedJob job = new SteppedJob(2, scenario)) {
            job.restart();

            assertInterruptions(job.rank(1), "EXCEPTION on rank 0 (java.lang.IllegalStateException: no data yet)");
        }
    }

    @Test
    void deathWhileRunningShrinksTheWorld() {
        try (SteppedJob job = new SteppedJob(3)) {
            job.untilAll(RUNNING);

            job.kill(job.rank(1));
            job.restart();

            assertThat(lastReport(job.rank(2)).state().worldSize()).isEqualTo(2);
            assertThat(lastReport(job.rank(2)).state().activeRank()).isEqualTo(1);
            assertInterruptions(job.rank(0), "TERMINATED on rank 1 (its session ended without a goodbye)");
        }
    }

    @Test
    void rankThatIsEndedTakesNoStoreAlongThatItDoesNotHost() {
        Scenario scenario = new Scenario();
        scenario.isHosted = false;
        try (SteppedJob job = new SteppedJob(3, scenario)) {
            job.untilAll(RUNNING);

            endHanging(job);
            job.restart();

            assertThat(lastReport(job.rank(2)).state().worldSize()).isEqualTo(2);
            assertInterruptions(job.rank(1), "HARD_TIMEOUT on rank 0 (it hangs)");
        }
    }

    @Test
    void hostThatIsEndedTakesTheStoreAlong() {
        try (SteppedJob job = new SteppedJob(3)) {
            job.untilAll(RUNNING);

            endHanging(job);
            job.untilAllHaveLeft();

            assertThat(job.rank(2).loop.departure())
                    .isInstanceOf(StoreLostException.class)
                    .hasMessageEndingWith(
                            "rank 0, which hosted it and has left the job: HARD_TIMEOUT on rank 0 (it hangs)");
        }
    }

    /** Rank 0 hangs, and is ended by its monitor process. */
    private static void endHanging(SteppedJob job) {
        new RestartStore(job.store(), 0, 3)
                .terminations()
                .leave(0, new Interruption(0, Kind.HARD_TIMEOUT, null, "it hangs"))
                .join();
        job.kill(job.rank(0));
    }

    @Test
    void whoOnlyMissesARankSaysLessThanWhoeverReportsItsDeath() throws Exception {
        try (SteppedJob job = new SteppedJob(2)) {
            job.untilAll(RUNNING);
            job.store().addToSet("0/terminated", IndexSet.of(1));
            job.rank(0).loop.step();
            assertThat(job.store().get("0/0/records").text()).startsWith("1 TERMINATED - - it died or left the job");

            job.store().append("0/0/records", Value.of("1 TERMINATED 7 - process 9 died\n"));
            job.kill(job.rank(1));
            job.restart();

            assertInterruptions(job.rank(0), "TERMINATED on rank 1 (process 9 died)");
        }
    }

    @Test
    void deathDuringARestartIsExcusedAtItsBarrier() {
        try (SteppedJob job = new SteppedJob(3)) {
            job.untilAll(RUNNING);
            job.fail(job.rank(1));
            job.only(job.rank(1), REGROUPING);
            job.only(job.rank(2), REGROUPING);

            job.kill(job.rank(0));
            job.untilAll(RUNNING);

            assertThat(lastReport(job.rank(1)).state().worldSize()).isEqualTo(2);
            assertThat(lastReport(job.rank(1)).state().activeRank()).isZero();
        }
    }

    @Test
    void nextLeaderDecidesWhenTheFirstDiesAfterAllHaveStopped() {
        try (SteppedJob job = new SteppedJob(3)) {
            job.untilAll(RUNNING);
            job.fail(job.rank(1));
            job.only(job.rank(0), REGROUPING);
            job.only(job.rank(1), REGROUPING);
            SteppedRank last = job.rank(2);
            SteppedRank leader = job.rank(0);
            // The barrier is complete once the last rank has arrived, but the leader is not stepped: it dies before it
            // decides.
            job.only(last, REGROUPING);

            job.kill(leader);
            job.untilAll(RUNNING);

            assertThat(lastReport(last).state().worldSize()).isEqualTo(2);
        }
    }

    @Test
    void deathRightAfterTheDecisionInterruptsTheNextIteration() {
        try (SteppedJob job = new SteppedJob(3)) {
            job.untilAll(RUNNING);
            job.rank(1).orderThrow(new IllegalStateException("NaN"));
            job.restart();

            job.kill(job.rank(2));
            job.restart();

            assertThat(lastReport(job.rank(0)).interrupted()).isEqualTo(1);
            assertThat(lastReport(job.rank(0)).state().worldSize()).isEqualTo(2);
        }
    }

    @Test
    void deathBeforeTheFirstIterationIsExcused() {
        try (SteppedJob job = new SteppedJob(3)) {
            job.kill(job.rank(2));

            job.untilAll(RUNNING);

            assertThat(job.rank(0).reports).isEmpty();
        }
    }

    @Test
    void rankThatIsDeclaredDeadLeaves() {
        try (SteppedJob job = new SteppedJob(2)) {
            job.untilAll(RUNNING);

            addToTerminated(job, 1);
            job.until(CLOSED, job.rank(1));

            assertThat(job.rank(1).loop.departure()).isInstanceOf(RankFencedException.class);
        }
    }

    /** A process that was suspended in its section may leave it before it learns what the others have done meanwhile. */
    @Test
    void rankThatIsDeclaredDeadSaysThatItHasJustLeftAnAtomicSection() {
        Scenario scenario = new Scenario();
        scenario.log = mock();
        CountDownLatch left = new CountDownLatch(1);
        try (SteppedJob job = new SteppedJob(2, scenario)) {
            job.untilAll(RUNNING);
            job.rank(1).orderAndAwaitBegin(call -> {
                call.atomic().close();
                left.countDown();
                return null;
            });
            job.until(() -> left.getCount() == 0, "the section to be left");

            addToTerminated(job, 1);
            job.until(CLOSED, job.rank(1));

            verify(scenario.log).warn(contains("or has just left one"), any(Object.class));
        }
    }

    @Test
    void rankThatWasDeclaredDeadSaysNothingMoreWhenItsProcessEnds() throws InterruptedException {
        try (SteppedJob job = new SteppedJob(2)) {
            job.untilAll(RUNNING);
            addToTerminated(job, 1);
            job.until(CLOSED, job.rank(1));
            job.store()
                    .execute(
                            new Operation.DeleteAll("0/0/"),
                            Duration.ofSeconds(1)); // as the others do in a later iteration

            job.kill(job.rank(1));

            assertThat(job.store().keys("0/0/")).isEmpty();
        }
    }

    @Test
    void abortLeavesAndTheOthersGoOn() {
        try (SteppedJob job = new SteppedJob(2)) {
            job.untilAll(RUNNING);
            job.rank(0).orderThrow(new RestartAbort("enough"));

            job.until(LAST_CALL, job.rank(1));
            job.passLastCall();
            job.until(CLOSED, job.rank(0));
            job.until(() -> !job.rank(1).reports.isEmpty(), "the other to restart");

            assertThat(job.rank(0).loop.departure()).isInstanceOf(RestartAbort.class);
            assertThat(job.rank(0).loop.result()).isNull();
            assertInterruptions(
                    job.rank(1), "TERMINATED_BY_RANK on rank 0 (" + RestartAbort.class.getName() + ": enough)");
        }
    }

    @Test
    void abortDuringTheLastCallOfAnothersFaultIsReportedAsAnAbort() throws InterruptedException {
        try (SteppedJob job = new SteppedJob(2)) {
            job.untilAll(RUNNING);
            job.rank(1).orderThrow(new IllegalStateException("NaN"));
            job.untilAll(LAST_CALL);
            Thread worker = job.rank(0).worker();
            job.rank(0).orderThrow(new RestartAbort("enough"));
            worker.join();
            job.rank(0).loop.step();

            job.passLastCall();
            job.until(CLOSED, job.rank(0));
            job.until(() -> !job.rank(1).reports.isEmpty(), "the other to restart");

            assertInterruptions(
                    job.rank(1),
                    "EXCEPTION on rank 1 (java.lang.IllegalStateException: NaN)",
                    "TERMINATED_BY_RANK on rank 0 (" + RestartAbort.class.getName() + ": enough)");
        }
    }

    @Test
    void failureOfFinalizeMakesTheRankLeave() {
        Scenario scenario = new Scenario();
        scenario.finish = state -> {
            if (state.initialRank() == 1) {
                throw new IllegalStateException("device lost");
            }
        };
        try (SteppedJob job = new SteppedJob(2, scenario)) {
            job.untilAll(RUNNING);
            job.fail(job.rank(0));

            job.until(CLOSED, job.rank(1));
            job.until(() -> !job.rank(0).reports.isEmpty(), "the other to restart");

            assertThat(job.rank(1).loop.departure())
                    .isInstanceOf(HealthCheckException.class)
                    .hasMessageContaining("finalize hook")
                    .hasRootCauseMessage("device lost");
            assertThat(lastReport(job.rank(0)).state().worldSize()).isEqualTo(1);
        }
    }

    @Test
    void alarmDuringTheHealthCheckMakesTheRankLeave() {
        CountDownLatch never = new CountDownLatch(1);
        AtomicBoolean isFirst = new AtomicBoolean(true);
        Scenario scenario = new Scenario();
        scenario.healthCheck = state -> {
            if (!isFirst.getAndSet(false)) {
                never.await();
            }
        };
        try (SteppedJob job = new SteppedJob(1, scenario)) {
            job.untilAll(RUNNING);
            job.fail(job.rank(0));
            job.untilAll(CHECKING_HEALTH);

            assertLeavesAfterAlarm(job);
        }
    }

    @Test
    void alarmDuringFinalizeMakesTheRankLeave() {
        CountDownLatch never = new CountDownLatch(1);
        Scenario scenario = new Scenario();
        scenario.finish = state -> never.await();
        try (SteppedJob job = new SteppedJob(1, scenario)) {
            job.untilAll(RUNNING);
            job.fail(job.rank(0));
            job.untilAll(FINALIZING);

            assertLeavesAfterAlarm(job);
        }
    }

    @Test
    void alarmWhileJoiningMakesTheRankLeave() {
        try (SteppedJob job = new SteppedJob(2)) {
            job.only(job.rank(1), FOUNDING);
            job.rank(1).loop.raise(lost());
            job.only(job.rank(1), CLOSED);

            assertThat(job.rank(1).loop.departure()).isInstanceOf(StoreLostException.class);
        }
    }

    @Test
    void alarmWhileRunningStopsTheFunctionFirst() {
        try (SteppedJob job = new SteppedJob(1)) {
            job.untilAll(RUNNING);

            assertLeavesAfterAlarm(job);
        }
    }

    @Test
    void alarmWhileAwaitingTheOthersMakesTheRankLeave() {
        try (SteppedJob job = new SteppedJob(2)) {
            job.untilAll(RUNNING);
            job.rank(0).orderReturn("done");
            job.until(AWAITING, job.rank(0));

            job.rank(0).loop.raise(lost());
            job.only(job.rank(0), CLOSED);

            assertThat(job.rank(0).loop.departure()).isInstanceOf(StoreLostException.class);
            assertThat(job.rank(0).loop.result()).isNull();
        }
    }

    @Test
    void alarmWhileRegroupingMakesTheRankLeave() {
        try (SteppedJob job = new SteppedJob(2)) {
            job.untilAll(RUNNING);
            job.fail(job.rank(0));
            job.only(job.rank(0), REGROUPING);

            job.rank(0).loop.raise(lost());
            job.only(job.rank(0), CLOSED);

            assertThat(job.rank(0).loop.departure()).isInstanceOf(StoreLostException.class);
        }
    }

    @Test
    void rankThatHasRunForAWhileAsksAheadAndRestartsAlike() {
        try (SteppedJob job = new SteppedJob(3)) {
            job.untilAll(RUNNING);
            job.ranks().forEach(job::askAhead);

            job.rank(1).orderThrow(new IllegalStateException("NaN"));
            job.restart();
            job.rank(1).orderThrow(new IllegalStateException("NaN again, at once"));
            job.restart();

            assertThat(job.rank(0).iterations).extracting(State::iteration).containsExactly(0, 1, 2);
            assertThat(job.rank(0).reports)
                    .extracting(report -> report.interruptions().size())
                    .containsExactly(1, 1);
        }
    }

    @Test
    void onlyRanksThatHaveRunForAWhileAskAhead() throws Exception {
        try (SteppedJob job = new SteppedJob(2)) {
            job.untilAll(RUNNING);
            job.askAhead(job.rank(0));
            job.rank(1).loop.step();

            // The pending request is answered by whatever is decided, and the last will is replaced with it.
            job.store().set("0/1/state", Parts.of(List.of(Value.of("0 0 2 2 - - "), Value.of("1 1 2 2 - - "))));
            job.kill(job.rank(0));
            job.kill(job.rank(1));

            assertThat(job.store().get("0/1/records").text())
                    .startsWith("0 TERMINATED")
                    .doesNotContain("\n1 ");
            assertThat(job.store().get("0/0/records").text()).startsWith("1 TERMINATED");
        }
    }

    @Test
    void rankRejectedWhenItAskedAheadAsksAgainInTheRestart() {
        try (SteppedJob job = new SteppedJob(2)) {
            job.untilAll(RUNNING);
            List<CompletableFuture<?>> waiting = job.rank(0).fillSession();
            job.ranks().forEach(job::askAhead);
            waiting.forEach(request -> request.cancel(true));

            for (int i = 0; i < 3; i++) {
                job.rank(1).orderThrow(new IllegalStateException("NaN"));
                job.restart();
            }

            assertThat(job.rank(0).iterations).extracting(State::iteration).containsExactly(0, 1, 2, 3);
        }
    }

    @Test
    void barrierTimeoutIsKeptHoweverRarelyTheThreadLooks() {
        Scenario scenario = new Scenario();
        scenario.monitorThreadInterval = Duration.ofHours(1);
        scenario.elasticity = Elasticity.defaults().admission(Admission.never());
        try (SteppedJob job = new SteppedJob(2, scenario)) {
            assertThat(job.rank(1).loop.step()).isEqualTo(Duration.ofSeconds(10).toNanos());

            job.pass(Duration.ofSeconds(10));
            assertThat(job.rank(1).loop.step()).isEqualTo(Duration.ofHours(1).toNanos());
        }
    }

    @Test
    void rankThatWaitsTooLongForOthersLeavesAndNamesThem() {
        try (SteppedJob job = new SteppedJob(3)) {
            job.untilAll(RUNNING);
            job.fail(job.rank(0));
            job.only(job.rank(0), REGROUPING);
            job.only(job.rank(1), REGROUPING);

            job.pass(Duration.ofMinutes(2));
            job.only(job.rank(0), CLOSED);

            assertThat(job.rank(0).loop.departure()).isInstanceOfSatisfying(BarrierTimeoutException.class, late -> {
                assertThat(late.missing()).isEqualTo(IndexSet.of(2));
                assertThat(late.timeout()).isEqualTo(Duration.ofMinutes(2));
            });
        }
    }

    @Test
    void waitingLeaderNamesTheMissingRanksLessAndLessOften() {
        Scenario scenario = new Scenario();
        scenario.log = mock();
        try (SteppedJob job = new SteppedJob(3, scenario)) {
            job.untilAll(RUNNING);
            job.fail(job.rank(0));
            job.only(job.rank(1), REGROUPING);
            job.only(job.rank(0), REGROUPING);
            job.rank(0).clock.advance(Duration.ofMillis(4_999));
            job.rank(0).loop.step();
            verify(scenario.log, never()).info(contains("is still waiting"), any(Object[].class));

            job.rank(0).clock.advance(Duration.ofMillis(1));
            for (int lines = 1; lines <= 3; lines++) {
                int expected = lines;
                job.rank(0).loop.step();
                await().untilAsserted(() -> {
                    job.rank(0).loop.step();
                    verify(scenario.log, times(expected)).info(contains("is still waiting"), any(Object[].class));
                });
                job.rank(0).clock.advance(Duration.ofSeconds(5L << (lines - 1)));
            }
            verifyWaitOfFiveSeconds(scenario.log, "reach iteration 1", IndexSet.of(2));
        }
    }

    private static void verifyWaitOfFiveSeconds(org.slf4j.Logger log, String what, IndexSet missing) {
        verify(log).info(contains("is still waiting"), any(), eq(5L), eq(what), eq("ranks " + missing));
    }

    @Test
    void rankThatHasCompletedNamesTheMissingRanks() {
        Scenario scenario = new Scenario();
        scenario.log = mock();
        try (SteppedJob job = new SteppedJob(3, scenario)) {
            job.untilAll(RUNNING);
            job.rank(0).orderReturn("done");
            job.until(AWAITING, job.rank(0));

            job.rank(0).clock.advance(Duration.ofSeconds(5));
            job.rank(0).loop.step();

            await().untilAsserted(() -> {
                job.rank(0).loop.step();
                verifyWaitOfFiveSeconds(scenario.log, "complete", IndexSet.range(1, 3));
            });
        }
    }

    @Test
    void rankThatIsReadyToPartNamesThoseThatItWaitsFor() {
        CountDownLatch never = new CountDownLatch(1);
        Scenario scenario = new Scenario();
        scenario.log = mock();
        scenario.completion = state -> {
            if (state.initialRank() == 1) {
                never.await();
            }
        };
        try (SteppedJob job = new SteppedJob(2, scenario)) {
            job.untilAll(RUNNING);
            job.ranks().forEach(rank -> rank.orderReturn("done"));
            job.until(LoopState.PARTING, job.rank(0));

            job.rank(0).clock.advance(Duration.ofSeconds(5));
            job.rank(0).loop.step();

            await().untilAsserted(() -> {
                job.rank(0).loop.step();
                verifyWaitOfFiveSeconds(scenario.log, "finish", IndexSet.of(1));
            });
        }
    }

    @Test
    void rankThatLosesTheStoreAfterItsHostHasLeftSaysWhyTheHostLeft() {
        try (SteppedJob job = new SteppedJob(2)) {
            job.untilAll(RUNNING);
            job.rank(0).orderThrow(new RestartAbort("no more data"));
            job.until(CLOSED, job.rank(0));
            StoreLostException lost = lost();

            job.rank(1).loop.raise(lost);
            job.only(job.rank(1), CLOSED);

            assertThat(job.rank(1).loop.departure())
                    .isInstanceOf(StoreLostException.class)
                    .hasMessage(
                            "store at 10.0.0.1:29500 was lost with rank 0, which hosted it and has left the job:"
                                    + " TERMINATED_BY_RANK on rank 0 (%s)",
                            new RestartAbort("no more data"))
                    .hasCause(lost);
        }
    }

    @Test
    void rankThatLosesTheStoreWhileItRegroupsHasThatLossAsItsCause() {
        try (SteppedJob job = new SteppedJob(3)) {
            job.untilAll(RUNNING);
            job.rank(0).orderThrow(new RestartAbort("no more data"));
            job.until(CLOSED, job.rank(0));
            job.until(LAST_CALL, job.rank(1));
            job.passLastCall();
            job.only(job.rank(1), REGROUPING);
            StoreLostException lost = lost();

            job.rank(1).loop.raise(lost);
            job.only(job.rank(1), CLOSED);

            assertThat(job.rank(1).loop.departure())
                    .isInstanceOf(StoreLostException.class)
                    .hasMessageContaining("was lost with rank 0")
                    .hasCause(lost);
        }
    }

    @Test
    void rankThatLosesTheStoreAfterAnotherThanItsHostHasLeftSaysHowItWasLost() {
        try (SteppedJob job = new SteppedJob(3)) {
            job.untilAll(RUNNING);
            job.rank(2).orderThrow(new RestartAbort("no more data"));
            job.until(CLOSED, job.rank(2));
            StoreLostException lost = lost();

            job.rank(1).loop.raise(lost);
            job.only(job.rank(1), CLOSED);

            assertThat(job.rank(1).loop.departure()).isSameAs(lost);
        }
    }

    @Test
    void rankThatLosesTheStoreWhenItIsAboutToLeaveByItselfLeavesForItsOwnReason() throws Exception {
        try (SteppedJob job = new SteppedJob(1)) {
            job.untilAll(RUNNING);
            RestartAbort own = new RestartAbort("no more data");
            Thread worker = job.rank(0).worker();
            job.rank(0).orderThrow(own);
            worker.join();

            job.rank(0).loop.raise(lost());
            job.untilAll(CLOSED);

            assertThat(job.rank(0).loop.departure()).isSameAs(own);
        }
    }

    @Test
    void rankThatIsDeclaredDeadLogsWhy() throws Exception {
        Scenario scenario = new Scenario();
        scenario.log = mock();
        try (SteppedJob job = new SteppedJob(2, scenario)) {
            job.untilAll(RUNNING);
            Interruption timeout = new Interruption(1, Kind.HARD_TIMEOUT, null, "no progress for 90000 ms");

            new RestartStore(job.store(), 1, 2).terminations().leave(0, timeout).get();
            job.until(CLOSED, job.rank(1));

            verify(scenario.log).warn(contains("was declared dead"), any(), eq(timeout));
        }
    }

    @Test
    void interruptOfTheCallerDuringCompletionMakesTheRankLeave() {
        CountDownLatch never = new CountDownLatch(1);
        Scenario scenario = new Scenario();
        scenario.completion = state -> never.await();
        try (SteppedJob job = new SteppedJob(1, scenario)) {
            job.untilAll(RUNNING);
            job.rank(0).orderReturn("done");
            job.untilAll(FINISHING);

            job.rank(0).loop.raise(new InterruptedException());
            job.untilAll(CLOSED);

            assertThat(job.rank(0).loop.departure()).isInstanceOf(InterruptedException.class);
        }
    }

    @Test
    void callerInterruptsACompletionHookWhoseStoreIsLost() {
        CountDownLatch never = new CountDownLatch(1);
        Scenario scenario = new Scenario();
        scenario.completion = state -> never.await();
        try (SteppedJob job = new SteppedJob(1, scenario)) {
            job.untilAll(RUNNING);
            job.rank(0).orderReturn("done");
            job.untilAll(FINISHING);
            job.rank(0).loop.raise(lost());
            job.rank(0).loop.step();
            assertThat(job.rank(0).state()).isEqualTo(FINISHING);

            job.rank(0).loop.raise(new InterruptedException());
            job.untilAll(CLOSED);

            assertThat(job.rank(0).loop.departure()).isInstanceOf(InterruptedException.class);
        }
    }

    @Test
    void lossOfTheStoreAfterCompletionDoesNotCostTheResult() {
        CountDownLatch never = new CountDownLatch(1);
        Scenario scenario = new Scenario();
        scenario.completion = state -> {
            if (state.initialRank() == 1) {
                never.await();
            }
        };
        try (SteppedJob job = new SteppedJob(2, scenario)) {
            job.untilAll(RUNNING);
            job.ranks().forEach(rank -> rank.orderReturn("done"));
            job.until(LoopState.PARTING, job.rank(0));

            job.rank(0).loop.raise(lost());
            job.only(job.rank(0), CLOSED);

            assertThat(job.rank(0).loop.result()).isEqualTo("done");
        }
    }

    @Test
    void rankThatTimesOutWaitingForCompletionRestartsAllAndNamesTheMissing() {
        Scenario scenario = new Scenario();
        scenario.completionTimeout = Duration.ofMillis(20);
        try (SteppedJob job = new SteppedJob(2, scenario)) {
            job.untilAll(RUNNING);
            job.rank(0).orderReturn("done");

            job.restart();

            assertThat(lastReport(job.rank(1)).interruptions()).singleElement().satisfies(interruption -> {
                assertThat(interruption.kind()).isEqualTo(Kind.COMPLETION_TIMEOUT);
                assertThat(interruption.rank()).isZero();
                assertThat(interruption.message()).contains("missing {1}");
            });
        }
    }

    @Test
    void hangIsRecordedAsSoftTimeout() {
        try (SteppedJob job = new SteppedJob(2)) {
            job.untilAll(RUNNING);
            Supervision.Watched watched =
                    Objects.requireNonNull(job.rank(1).loop.supervision().watched());
            job.rank(1).loop.supervision().reportHang(watched.thread(), SteppedRank.HANG);

            job.restart();

            assertInterruptions(job.rank(0), "SOFT_TIMEOUT on rank 1 (made no progress for 60.0 s)");
        }
    }

    @Test
    void functionThatSwallowsTheInterruptIsInterruptedAgain() {
        AtomicInteger swallowed = new AtomicInteger();
        try (SteppedJob job = new SteppedJob(2)) {
            job.untilAll(RUNNING);
            job.rank(0).orderAndAwaitBegin(call -> {
                while (swallowed.get() < 3) {
                    try {
                        new CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        swallowed.incrementAndGet();
                    }
                }
                throw new InterruptedException();
            });
            job.rank(1).orderThrow(new IllegalStateException("NaN"));
            job.untilAll(LAST_CALL);
            job.passLastCall();
            for (int n = 1; n <= 3; n++) {
                int interrupts = n;
                job.until(() -> swallowed.get() == interrupts, "interrupt " + n);
                job.pass(Duration.ofSeconds(1));
            }

            job.untilAll(RUNNING);

            assertThat(swallowed).hasValue(3);
        }
    }

    @Test
    void functionThatCannotBeStoppedMakesTheRankLeave() {
        CountDownLatch release = new CountDownLatch(1);
        try (SteppedJob job = new SteppedJob(2)) {
            job.untilAll(RUNNING);
            job.rank(0).orderAndAwaitBegin(call -> {
                while (release.getCount() > 0) {
                    Thread.onSpinWait();
                }
                return "late";
            });
            job.fail(job.rank(1));
            job.until(STOPPING, job.rank(0));
            job.rank(0).loop.step();
            job.rank(0).clock.advance(SteppedRank.HARD_TIMEOUT);

            job.until(CLOSED, job.rank(0));

            assertThat(job.rank(0).loop.departure())
                    .isInstanceOf(WorkerStuckException.class)
                    .hasMessageContaining("resiliency-worker-r0-i0 is at");
            release.countDown();
        }
    }

    @Test
    void restartWaitsForAnAtomicSectionUpToALimit() {
        CountDownLatch entered = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        try (SteppedJob job = new SteppedJob(2)) {
            job.untilAll(RUNNING);
            job.rank(0).orderAndAwaitBegin(call -> {
                CallWrapper.AtomicSection section = call.atomic();
                try {
                    entered.countDown();
                    release.await();
                } finally {
                    section.close();
                }
                return null;
            });
            job.until(() -> entered.getCount() == 0, "the section to be entered");
            job.fail(job.rank(1));
            job.until(LoopState.ABORTING, job.rank(0));
            job.rank(0).loop.step();
            assertThat(job.rank(0).state()).isEqualTo(LoopState.ABORTING);
            job.rank(0).clock.advance(SteppedRank.HARD_TIMEOUT);

            job.until(CLOSED, job.rank(0));

            assertThat(job.rank(0).loop.departure())
                    .isInstanceOf(WorkerStuckException.class)
                    .hasMessageContaining("atomic section");
            release.countDown();
        }
    }

    @Test
    void rankThatIsGivenUpWithinAnAtomicSectionIsWarnedOfWhatItWrites() {
        assertWarnedOfWhatItWrites(new SessionExpiredException("it was silent"), 1);
        assertWarnedOfWhatItWrites(new StoreLostException("host:1", "lost", null), 1);
        assertWarnedOfWhatItWrites(new InterruptedException("by the caller"), 0);
    }

    private static void assertWarnedOfWhatItWrites(Exception alarm, int times) {
        Scenario scenario = new Scenario();
        scenario.log = mock();
        try (SteppedJob job = new SteppedJob(2, scenario)) {
            job.untilAll(RUNNING);
            job.rank(0).orderAndAwaitBegin(call -> {
                call.atomic().close();
                return null;
            });
            job.rank(0).orderAndAwaitBegin(call -> null); // the section has ended a moment ago

            job.rank(0).loop.raise(alarm);
            job.until(CLOSED, job.rank(0));

            verify(scenario.log, times(times))
                    .warn(contains("is in an atomic section, or has just left one"), any(Object.class));
        }
    }

    private static Scenario withoutPings() {
        Scenario scenario = new Scenario();
        scenario.pings = false;
        return scenario;
    }

    /** Fails until the next failure causes a pause. */
    private static void failWithoutPause(SteppedJob job) {
        job.untilAll(RUNNING);
        for (int i = 0; i < BackOff.FREE; i++) {
            job.rank(0).orderThrow(new IllegalStateException("no such file"));
            job.restart();
        }
    }

    @Test
    void functionThatKeepsFailingAtOnceIsRestartedLessAndLessOften() {
        try (SteppedJob job = new SteppedJob(2, withoutPings())) {
            failWithoutPause(job);
            SteppedRank failing = job.rank(0);
            for (int millis : List.of(100, 200, 400, 800, 1600, 3200, 5000, 5000)) {
                int restarts = job.rank(1).reports.size();
                job.fail(failing);
                job.until(BACKING_OFF, failing);
                job.pass(Duration.ofMillis(millis - 1));
                assertThat(failing.loop.step()).isEqualTo(1_000_000);
                assertThat(failing.state()).isEqualTo(BACKING_OFF);
                job.pass(Duration.ofMillis(1));
                job.untilAll(RUNNING);
                assertThat(job.rank(1).reports).hasSize(restarts + 1);
            }
        }
    }

    @Test
    void rankWhoseClassesDoNotFitTogetherLeavesAfterTheAttemptsWithoutAPause() {
        Scenario scenario = withoutPings();
        scenario.log = mock();
        try (SteppedJob job = new SteppedJob(1, scenario)) {
            failWithoutPause(job);
            NoClassDefFoundError broken = new NoClassDefFoundError("train/Ring");
            job.rank(0).orderThrow(broken);
            job.untilAll(LAST_CALL);
            job.passLastCall();
            job.untilAll(CLOSED);

            assertThat(job.rank(0).loop.departure())
                    .isInstanceOf(ResiliencyException.class)
                    .hasCause(broken);
            verify(scenario.log)
                    .info(
                            eq("{} leaves the job: {}"),
                            any(),
                            contains("has failed 4 times in a row without coming further, and would again"));
        }
    }

    @Test
    void limitOfTheAttemptsHasTheLastFaultOfThisRankAsItsCause() {
        Scenario scenario = new Scenario();
        scenario.initialize = Initialize.retryController(1);
        try (SteppedJob job = new SteppedJob(2, scenario)) {
            job.untilAll(RUNNING);
            job.fail(job.rank(0));

            job.untilAllHaveLeft();

            assertThat(job.rank(0).loop.departure())
                    .isInstanceOf(RestartAbort.class)
                    .cause()
                    .hasMessage("NaN");
            assertThat(job.rank(1).loop.departure())
                    .isInstanceOf(RestartAbort.class)
                    .hasNoCause();
        }
    }

    @Test
    void exceptionThatComesWhenOthersHaveFailedIsLoggedWithItsTrace() {
        Scenario scenario = new Scenario();
        scenario.log = mock();
        IllegalStateException late = new IllegalStateException("late");
        try (SteppedJob job = new SteppedJob(2, scenario)) {
            job.untilAll(RUNNING);
            job.rank(0).orderThrow(new IllegalStateException("NaN"));
            job.untilAll(LAST_CALL);
            job.rank(1).orderThrow(late);
            await().until(() -> {
                job.stepAll();
                return !job.rank(1).worker().isAlive();
            });
            job.stepAll();

            job.restart();

            assertInterruptions(
                    job.rank(0),
                    "EXCEPTION on rank 0 (java.lang.IllegalStateException: NaN)",
                    "EXCEPTION on rank 1 (java.lang.IllegalStateException: late)");
            verify(scenario.log).warn(contains("failed; all ranks restart"), any(), eq(late));
        }
    }

    @SuppressWarnings("try") // the cleanup is only closed
    @Test
    void exceptionWhoseCleanupHangsIsSaidOnceThatIsStopped() {
        try (SteppedJob job = new SteppedJob(2)) {
            job.untilAll(RUNNING);
            job.rank(1).orderAndAwaitBegin(call -> {
                try (AutoCloseable cleanup = new CountDownLatch(1)::await) {
                    throw new IllegalStateException("NaN");
                }
            });
            job.rank(0).loop.supervision().reportHang(job.rank(0).worker(), SteppedRank.HANG);

            job.restart();

            assertInterruptions(
                    job.rank(0),
                    "SOFT_TIMEOUT on rank 0 (made no progress for 60.0 s)",
                    "EXCEPTION on rank 1 (java.lang.IllegalStateException: NaN, and its cleanup had not ended)");
        }
    }

    @Test
    void failureThatIsToldBeforeTheCleanupRestartsAllRanksAtOnce() {
        Scenario scenario = new Scenario();
        scenario.log = mock();
        try (SteppedJob job = new SteppedJob(2, scenario)) {
            job.untilAll(RUNNING);
            IllegalStateException failure = new IllegalStateException("NaN");
            job.rank(1).orderAndAwaitBegin(call -> {
                call.fail(failure);
                call.fail(new IllegalStateException("a second one"));
                call.fail(new RestartAbort("which counts when it is thrown"));
                new CountDownLatch(1).await(); // cleans up, and waits for rank 0
                throw failure;
            });

            job.restart();

            assertThat(job.ranks())
                    .allSatisfy(rank ->
                            assertInterruptions(rank, "EXCEPTION on rank 1 (java.lang.IllegalStateException: NaN)"));
            verify(scenario.log).warn(contains("the function failed"), any(), eq(failure));
        }
    }

    /** Both in one step of the loop: what the function has told came first. */
    @Test
    void failureThatIsToldCountsBeforeWhatTheCleanupThrows() throws Exception {
        try (SteppedJob job = new SteppedJob(2)) {
            job.untilAll(RUNNING);
            Thread worker = job.rank(1).worker();
            job.rank(1).orderAndAwaitBegin(call -> {
                call.fail(new IllegalStateException("NaN"));
                throw new IllegalStateException("the cleanup failed, too");
            });
            worker.join();

            job.restart();

            assertInterruptions(job.rank(0), "EXCEPTION on rank 1 (java.lang.IllegalStateException: NaN)");
        }
    }

    @Test
    void exceptionAfterAHangOfTheSameRankIsRecordedAndLogged() throws Exception {
        Scenario scenario = new Scenario();
        scenario.log = mock();
        try (SteppedJob job = new SteppedJob(2, scenario)) {
            job.untilAll(RUNNING);
            IllegalStateException failure = new IllegalStateException("NaN");
            Thread worker = job.rank(1).worker();
            job.rank(1).loop.supervision().reportHang(worker, SteppedRank.HANG);
            job.untilAll(LAST_CALL);
            job.rank(1).orderThrow(failure);
            worker.join();

            job.restart();

            assertInterruptions(
                    job.rank(0),
                    "SOFT_TIMEOUT on rank 1 (made no progress for 60.0 s)",
                    "EXCEPTION on rank 1 (java.lang.IllegalStateException: NaN)");
            verify(scenario.log).warn(contains("the function failed"), any(), eq(failure));
        }
    }

    @Test
    void firstStepAfterARestartIsLoggedOnceWithTheTimeSinceTheFault() {
        Scenario scenario = new Scenario();
        scenario.log = mock();
        try (SteppedJob job = new SteppedJob(1, scenario)) {
            job.untilAll(RUNNING);
            job.pass(Duration.ofSeconds(2)); // the first iteration follows no fault
            job.stepAll();
            job.fail(job.rank(0));
            job.restart();
            job.rank(0).orderAndAwaitBegin(call -> null); // it has pinged

            job.pass(Duration.ofSeconds(2));
            job.stepAll();
            job.pass(Duration.ofSeconds(2));
            job.stepAll();

            verify(scenario.log)
                    .info(
                            eq("{} recovered in {} ms, from the interruption to the first step"),
                            any(),
                            any(Double.class));
        }
    }

    /** After the last attempt, the function is not called again, so nothing has restarted. */
    @Test
    void attemptThatTheLimitForbidsIsNotLoggedAsARestart() {
        Scenario scenario = new Scenario();
        scenario.initialize = Initialize.retryController(2);
        scenario.log = mock();
        try (SteppedJob job = new SteppedJob(1, scenario)) {
            job.untilAll(RUNNING);
            job.fail(job.rank(0));
            job.restart();
            job.rank(0).orderAndAwaitBegin(call -> null);
            job.stepAll();
            verify(scenario.log).info(eq("{} {}"), any(), contains("restarted in "));
            job.fail(job.rank(0));

            job.untilAll(CLOSED);

            verify(scenario.log).info(eq("{} {}"), any(), contains("restarted in "));
            verify(scenario.log).info(eq("{} leaves the job: {}"), any(), contains("the limit is 2"));
        }
    }

    /** A rank that others interrupt before its first ping has not failed. */
    @Test
    void rankThatOthersInterruptAtOnceDoesNotPause() {
        try (SteppedJob job = new SteppedJob(2, withoutPings())) {
            failWithoutPause(job);
            job.rank(1).orderThrow(new IllegalStateException("NaN"));

            job.restart();

            assertThat(job.rank(0).reports).hasSize(BackOff.FREE + 1);
        }
    }

    @Test
    void pauseIsLoggedWithTheExceptionBefore() {
        Scenario scenario = withoutPings();
        scenario.log = mock();
        try (SteppedJob job = new SteppedJob(1, scenario)) {
            failWithoutPause(job);
            IllegalStateException last = new IllegalStateException("no such file");
            job.rank(0).orderThrow(last);
            job.untilAll(LAST_CALL);
            job.passLastCall();
            job.untilAll(BACKING_OFF);

            verify(scenario.log).warn(contains("the function failed"), any(), eq(last));
            verify(scenario.log)
                    .warn(
                            eq("{} {} failures in a row without coming further: attempt {} begins in {} ms"),
                            any(),
                            eq(4),
                            eq(5),
                            eq(100L));
        }
    }

    @Test
    void pauseIsAPhaseOfItsOwnInTheReport() {
        try (SteppedJob job = new SteppedJob(1, withoutPings())) {
            failWithoutPause(job);
            job.fail(job.rank(0));
            job.untilAll(BACKING_OFF);
            job.pass(BackOff.FIRST_PAUSE);
            job.untilAll(RUNNING);

            assertThat(lastReport(job.rank(0)).phases())
                    .containsEntry(Phase.BACK_OFF, BackOff.FIRST_PAUSE)
                    .containsEntry(Phase.BARRIER, Duration.ZERO);
        }
    }

    @Test
    void functionThatBeginsAStepFurtherBeforeItFailsIsRestartedAtOnce() {
        try (SteppedJob job = new SteppedJob(2)) {
            failWithoutPause(job);
            for (int i = 0; i < 10; i++) {
                job.rank(0).orderStep(i);
                job.rank(0).orderThrow(new IllegalStateException("NaN"));
                job.restart();
            }
            assertThat(job.rank(1).reports).hasSize(BackOff.FREE + 10);
        }
    }

    @Test
    void pingBeforeTheFailureDoesNotKeepTheFunctionFromBeingSlowedDown() {
        try (SteppedJob job = new SteppedJob(2)) { // whose function pings first
            failWithoutPause(job);

            job.fail(job.rank(0));

            job.until(BACKING_OFF, job.rank(0));
        }
    }

    @Test
    void alarmEndsThePause() {
        try (SteppedJob job = new SteppedJob(1, withoutPings())) {
            failWithoutPause(job);
            job.fail(job.rank(0));
            job.untilAll(BACKING_OFF);

            assertLeavesAfterAlarm(job);
        }
    }

    @Test
    void rankThatDiesInItsPauseIsExcused() {
        try (SteppedJob job = new SteppedJob(3, withoutPings())) {
            failWithoutPause(job);
            job.fail(job.rank(0));
            job.until(BACKING_OFF, job.rank(0));

            job.kill(job.rank(0));
            job.untilAll(RUNNING);

            assertThat(lastReport(job.rank(1)).state().worldSize()).isEqualTo(2);
        }
    }

    @Test
    void retryControllerNamesTheLastFault() {
        Scenario scenario = new Scenario();
        scenario.initialize = Initialize.retryController(1);
        try (SteppedJob job = new SteppedJob(1, scenario)) {
            job.untilAll(RUNNING);
            job.fail(job.rank(0));
            job.untilAll(CLOSED);

            assertThat(job.rank(0).loop.departure())
                    .hasMessage("the function was called 1 times without success; the limit is 1; the last fault:"
                            + " EXCEPTION on rank 0 (java.lang.IllegalStateException: NaN)");
        }
    }

    @Test
    void rankThatLeavesLogsTheMessageOfTheFunction() {
        Scenario scenario = new Scenario();
        scenario.log = mock();
        try (SteppedJob job = new SteppedJob(1, scenario)) {
            job.untilAll(RUNNING);
            job.rank(0).orderThrow(new RestartAbort("no more data"));
            job.untilAll(CLOSED);

            verify(scenario.log).info(eq("{} leaves the job: {}"), any(), eq("no more data"));
        }
    }

    @Test
    void discardedRankLeavesWithoutDisturbingTheOthers() {
        Scenario scenario = new Scenario();
        scenario.assignment = RankAssignment.compose(
                RankAssignment.activateAllRanks(),
                RankAssignment.shiftRanks(),
                world -> world.lose(IndexSet.of(world.size() - 1)));
        try (SteppedJob job = new SteppedJob(3, scenario)) {
            job.until(CLOSED, job.rank(2));
            job.until(RUNNING, job.rank(0), job.rank(1));

            assertThat(job.rank(2).loop.departure()).isInstanceOf(RankDiscardedException.class);
            assertThat(job.rank(0).reports).isEmpty();
        }
    }

    @Test
    void rankAssignmentThatFailsMakesEachLeaderLeaveWithItsReason() {
        Scenario scenario = new Scenario();
        scenario.assignment = world -> {
            throw new IllegalStateException("no topology file");
        };
        try (SteppedJob job = new SteppedJob(2, scenario)) {
            job.untilAll(CLOSED);

            assertThat(job.ranks())
                    .allSatisfy(rank -> assertThat(rank.loop.departure())
                            .isInstanceOf(ResiliencyException.class)
                            .hasMessageContaining("no topology file"));
        }
    }

    @Test
    void errorInTheRankAssignmentIsReportedAsItsFailure() {
        Scenario scenario = new Scenario();
        scenario.assignment = world -> {
            throw new NoClassDefFoundError("org/example/Topology");
        };
        try (SteppedJob job = new SteppedJob(1, scenario)) {
            job.untilAll(CLOSED);

            assertThat(job.rank(0).loop.departure())
                    .hasMessage("the rank assignment failed for iteration 0: org/example/Topology");
        }
    }

    @Test
    void exceptionWhoseMessageFailsIsReportedByItsClass() {
        try (SteppedJob job = new SteppedJob(2)) {
            job.untilAll(RUNNING);
            job.rank(1).orderThrow(new Speechless());

            job.restart();

            assertInterruptions(job.rank(0), "EXCEPTION on rank 1 (" + Speechless.class.getName() + ")");
        }
    }

    private static final class Speechless extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new IllegalStateException("no message, either");
        }
    }

    @Test
    void rankWhoseReportTheStoreRejectsLeaves() throws Exception {
        try (SteppedJob job = new SteppedJob(2)) {
            job.untilAll(RUNNING);
            job.store().addToSet("0/0/records", IndexSet.of(0)); // no value to append to
            Supervision.Watched watched =
                    Objects.requireNonNull(job.rank(1).loop.supervision().watched());
            job.rank(1).loop.supervision().reportHang(watched.thread(), SteppedRank.HANG);

            job.until(CLOSED, job.rank(1));

            assertThat(job.rank(1).loop.departure()).isInstanceOf(StoreRequestException.class);
        }
    }

    /** The next request of any rank fails as it must not. */
    private static Scenario withDefect(AtomicReference<@Nullable Error> defect) {
        Scenario scenario = new Scenario();
        scenario.wayToStore = session -> new ForwardingStore(session) {
            @Override
            public CompletableFuture<List<@Nullable Object>> submit(
                    List<? extends Operation<?>> operations, Duration timeout) {
                Error next = defect.getAndSet(null);
                if (next != null) {
                    throw next;
                }
                return super.submit(operations, timeout);
            }
        };
        return scenario;
    }

    @Test
    void defectOfTheLoopStopsTheFunctionAndMakesTheRankLeave() {
        AtomicReference<@Nullable Error> defect = new AtomicReference<>();
        try (SteppedJob job = new SteppedJob(2, withDefect(defect))) {
            job.untilAll(RUNNING);
            Thread worker = job.rank(0).worker();

            defect.set(new OutOfMemoryError("Java heap space"));
            job.askAhead(job.rank(0));

            assertThat(job.rank(0).state()).isEqualTo(LEAVING);
            assertThat(job.rank(0).ranOut).isTrue();
            assertThat(job.rank(0).loop.departure()).hasStackTraceContaining("Java heap space");
            job.until(() -> !worker.isAlive(), "the function to end");
            job.until(CLOSED, job.rank(0));
            assertThat(job.rank(0).loop.iteration()).isZero();
            job.until(LAST_CALL, job.rank(1));
            job.passLastCall();
            job.until(RUNNING, job.rank(1));
            assertThat(job.rank(1).reports.get(0).interruptions())
                    .singleElement()
                    .returns(Kind.TERMINATED_BY_RANK, Interruption::kind)
                    .asString()
                    .contains("rank 0", "out of memory (Java heap space)");
        }
    }

    @Test
    void defectOfTheLoopBeforeTheFirstIterationMakesTheRankLeave() {
        AtomicReference<@Nullable Error> defect = new AtomicReference<>();
        try (SteppedJob job = new SteppedJob(2, withDefect(defect))) {
            defect.set(new StackOverflowError());
            job.until(CLOSED, job.rank(0));

            assertThat(job.rank(0).loop.departure()).hasStackTraceContaining("StackOverflowError");
            assertThat(job.rank(0).ranOut).isFalse();
            assertThat(job.rank(0).loop.iteration()).isEqualTo(RestartStore.BEFORE_FIRST);
        }
    }

    @Test
    void allLeaveIfTheRankAssignmentActivatesNoRank() {
        Scenario scenario = new Scenario();
        scenario.assignment =
                RankAssignment.compose(RankAssignment.activeWorldSizeDivisibleBy(2), RankAssignment.shiftRanks());
        try (SteppedJob job = new SteppedJob(1, scenario)) {
            job.untilAll(CLOSED);

            assertThat(job.rank(0).loop.departure())
                    .isInstanceOf(RankDiscardedException.class)
                    .hasMessageContaining(
                            "no rank would be active: activeWorldSizeDivisibleBy(2) leaves 0 of 1 active");
        }
    }

    @Test
    void inactiveRankWaitsAndReturnsNull() {
        Scenario scenario = new Scenario();
        scenario.assignment = RankAssignment.compose(RankAssignment.maxActiveWorldSize(1), RankAssignment.shiftRanks());
        try (SteppedJob job = new SteppedJob(2, scenario)) {
            job.until(RUNNING, job.rank(0));
            job.until(AWAITING, job.rank(1));
            job.rank(0).orderReturn("done");

            job.untilAll(CLOSED);

            assertThat(job.rank(0).loop.result()).isEqualTo("done");
            assertThat(job.rank(1).loop.result()).isNull();
            assertThat(job.rank(1).isCalled()).isFalse();
        }
    }

    @Test
    void keysOfPastIterationsAreRemoved() throws Exception {
        try (SteppedJob job = new SteppedJob(2)) {
            job.untilAll(RUNNING);
            long before = 0;
            for (int restart = 0; restart < 6; restart++) {
                job.rank(restart % 2).orderThrow(new IllegalStateException("NaN"));
                job.restart();
                long now = job.store().keyCount();
                if (restart >= 2) {
                    assertThat(now).isEqualTo(before);
                }
                before = now;
            }
        }
    }

    private static void assertLeavesAfterAlarm(SteppedJob job) {
        job.rank(0).loop.raise(lost());
        job.untilAll(CLOSED);
        assertThat(job.rank(0).loop.departure()).isInstanceOf(StoreLostException.class);
    }

    private static StoreLostException lost() {
        return new StoreLostException("10.0.0.1:29500", "store at 10.0.0.1:29500 was lost", null);
    }

    private static void addToTerminated(SteppedJob job, int rank) {
        try {
            job.store().addToSet("0/terminated", IndexSet.of(rank));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private static RestartReport lastReport(SteppedRank rank) {
        return rank.reports.get(rank.reports.size() - 1);
    }

    private static void assertInterruptions(SteppedRank rank, String... expected) {
        assertThat(lastReport(rank).interruptions())
                .extracting(Interruption::toString)
                .containsExactly(expected);
    }
}
