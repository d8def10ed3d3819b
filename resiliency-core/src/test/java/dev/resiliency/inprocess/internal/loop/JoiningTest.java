package dev.resiliency.inprocess.internal.loop;

import static dev.resiliency.inprocess.internal.loop.LoopState.CLOSED;
import static dev.resiliency.inprocess.internal.loop.LoopState.JOINING;
import static dev.resiliency.inprocess.internal.loop.LoopState.REGROUPING;
import static dev.resiliency.inprocess.internal.loop.LoopState.RUNNING;
import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.contains;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.Mockito.atLeastOnce;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

import dev.resiliency.inprocess.Elasticity;
import dev.resiliency.inprocess.Elasticity.Admission;
import dev.resiliency.inprocess.HealthCheckException;
import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.Interruption.Kind;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.TooFewRanksException;
import dev.resiliency.inprocess.internal.loop.SteppedRank.Scenario;
import dev.resiliency.inprocess.internal.protocol.Generation;
import dev.resiliency.inprocess.internal.protocol.Promises;
import dev.resiliency.inprocess.rank.RankAssignment;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreRequestException;
import dev.resiliency.store.spi.ForwardingStore;
import dev.resiliency.store.spi.InMemoryStore;
import dev.resiliency.store.spi.Operation;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;

/** Processes that come to a job while it runs, stepped by hand. */
class JoiningTest {
    private static final Duration JOIN_WAIT = Elasticity.defaults().joinWait();

    private static Scenario with(Elasticity elasticity) {
        Scenario scenario = new Scenario();
        scenario.elasticity = elasticity;
        return scenario;
    }

    private static State last(SteppedRank rank) {
        return rank.iterations.get(rank.iterations.size() - 1);
    }

    private static void complete(SteppedJob job, SteppedRank... ranks) {
        for (SteppedRank rank : ranks) {
            rank.orderReturn("done");
        }
        job.until(CLOSED, ranks);
    }

    /** Kills a rank, and lets the last call of the survivors pass. */
    private static void lose(SteppedJob job, SteppedRank victim, SteppedRank... survivors) {
        job.kill(victim);
        job.until(LoopState.LAST_CALL, survivors);
        job.passLastCall();
    }

    @Test
    void replacementOfAKilledRankBringsTheWorldBackToItsSizeAtOnce() {
        try (SteppedJob job = new SteppedJob(3)) {
            job.untilAll(RUNNING);
            lose(job, job.rank(1), job.rank(0), job.rank(2));
            job.until(() -> job.rank(0).iterations.size() == 2, "the survivors to go on");
            assertThat(last(job.rank(0)).activeWorldSize()).isEqualTo(2);

            SteppedRank replacement = job.come(1);
            assertThat(replacement.identity.rank()).isEqualTo(3);
            job.until(LoopState.LAST_CALL, job.rank(0), job.rank(2)); // no wait: the world would be complete
            job.passLastCall();
            job.until(RUNNING, job.rank(0), job.rank(2), replacement);

            assertThat(last(replacement))
                    .returns(3, State::initialRank)
                    .returns(State.Entry.JOINED, State::entry)
                    .returns(2, State::iteration)
                    .returns(2, State::jobRestarts)
                    .returns(3, State::activeWorldSize)
                    .returns(2, State::activeRank);
            assertThat(last(job.rank(0)))
                    .returns(State.Entry.SURVIVED, State::entry)
                    .returns(3, State::activeWorldSize);
            assertThat(job.rank(2).reports.get(1).joined()).isEqualTo(IndexSet.of(3));
            assertThat(job.rank(2).reports.get(1).interruptions())
                    .extracting(Interruption::kind)
                    .containsExactly(Kind.SCALE_UP);
            assertThat(last(job.rank(0)).faults()).isZero();
            complete(job, job.rank(0), job.rank(2), replacement);
            assertThat(replacement.loop.result()).isEqualTo("done");
        }
    }

    @Test
    void othersLearnOfAJoinerOnceItsPrepareHookHasRun() throws InterruptedException {
        Semaphore prepared = new Semaphore(2);
        Scenario scenario = new Scenario();
        scenario.elasticity = Elasticity.defaults().maxRanks(3).joinWait(Duration.ZERO);
        scenario.prepare = prepared::acquire;
        scenario.log = mock(Logger.class);
        try (SteppedJob job = new SteppedJob(2, scenario)) {
            job.untilAll(RUNNING);
            job.until(() -> prepared.availablePermits() == 0, "the founders to prepare");
            SteppedRank joiner = job.come(0);
            job.pass(JOIN_WAIT);
            settle(job);
            assertThat(joiner.state()).isEqualTo(JOINING);
            assertThat(job.rank(0).state()).isEqualTo(RUNNING);
            verify(scenario.log).info(contains("runs its prepare hook"), any(Object.class));
            verify(scenario.log, never()).info(contains("waits to join the running job:"), any(Object.class));

            prepared.release();
            job.until(LoopState.LAST_CALL, job.rank(0), job.rank(1));
            job.passLastCall();
            job.untilAll(RUNNING);

            assertThat(last(joiner)).returns(3, State::activeWorldSize);
            assertThat(prepared.availablePermits()).as("once in each process").isZero();
        }
    }

    @Test
    void joinerWhosePrepareHookFailsLeavesWithoutARestart() {
        AtomicInteger runs = new AtomicInteger();
        Scenario scenario = new Scenario();
        scenario.elasticity = Elasticity.defaults().maxRanks(3);
        scenario.prepare = () -> {
            if (runs.incrementAndGet() > 2) { // after the founders
                throw new IllegalStateException("no such file");
            }
        };
        try (SteppedJob job = new SteppedJob(2, scenario)) {
            job.untilAll(RUNNING);
            job.until(() -> runs.get() == 2, "the founders to prepare");
            SteppedRank joiner = job.come(0);

            job.until(CLOSED, joiner);

            assertThat(joiner.loop.departure())
                    .isInstanceOf(HealthCheckException.class)
                    .hasMessageContaining("the prepare hook failed")
                    .hasMessageContaining("no such file");
            assertThat(job.rank(0).state()).isEqualTo(RUNNING);
        }
    }

    @Test
    void joinerIsAdmittedAlthoughTheStoreHadNoRoomForTheFirstAnswerAboutIt() {
        Scenario scenario = new Scenario();
        AtomicInteger refusals = new AtomicInteger();
        scenario.wayToStore = session -> new ForwardingStore(session) {
            @Override
            public CompletableFuture<List<@Nullable Object>> submit(
                    List<? extends Operation<?>> operations, Duration timeout) {
                boolean looksForJoiners = operations.stream()
                        .anyMatch(operation -> operation instanceof Operation.Members members
                                && members.key().endsWith("/joined"));
                return looksForJoiners && refusals.getAndUpdate(left -> Math.max(0, left - 1)) > 0
                        ? CompletableFuture.failedFuture(new StoreRequestException("no room for the answer"))
                        : super.submit(operations, timeout);
            }
        };
        try (SteppedJob job = new SteppedJob(3, scenario)) {
            job.untilAll(RUNNING);
            lose(job, job.rank(1), job.rank(0), job.rank(2));
            job.until(() -> job.rank(0).iterations.size() == 2, "the survivors to go on");
            SteppedRank replacement = job.come(1);
            refusals.set(1);
            job.until(() -> refusals.get() == 0, "the leader to be refused an answer");
            job.stepAll(); // the leader learns of it, and asks again after the usual interval
            job.pass(scenario.monitorThreadInterval);

            job.until(LoopState.LAST_CALL, job.rank(0), job.rank(2));
            job.passLastCall();
            job.until(RUNNING, job.rank(0), job.rank(2), replacement);

            assertThat(last(replacement).activeWorldSize()).isEqualTo(3);
        }
    }

    @Test
    void joinersOfAWorldThatMayGrowFurtherAreAwaitedForAMoment() {
        try (SteppedJob job = new SteppedJob(2, with(Elasticity.defaults().maxRanks(5)))) {
            job.untilAll(RUNNING);
            SteppedRank first = job.come(0);
            job.until(JOINING, first);
            settle(job);
            assertThat(job.rank(0).state()).isEqualTo(RUNNING);
            SteppedRank second = job.come(1);
            settle(job);

            job.pass(JOIN_WAIT);
            job.restart();

            assertThat(job.ranks())
                    .allSatisfy(rank -> assertThat(last(rank).activeWorldSize()).isEqualTo(4));
            assertThat(last(second)).returns(3, State::initialRank).returns(1, State::iteration);
        }
    }

    @Test
    void joinersThatComeOneByOneDoNotProlongTheWaitOfTheFirst() {
        try (SteppedJob job = new SteppedJob(2, with(Elasticity.defaults().maxRanks(9)))) {
            job.untilAll(RUNNING);
            Duration third = JOIN_WAIT.dividedBy(3);
            for (int joiners = 0; joiners < 3; joiners++) {
                SteppedRank joiner = job.come(0);
                job.until(JOINING, joiner);
                settle(job);
                assertThat(job.rank(0).state()).isEqualTo(RUNNING);
                job.pass(third);
            }
            job.pass(JOIN_WAIT.minus(third.multipliedBy(3)));
            job.restart();

            assertThat(job.ranks())
                    .allSatisfy(rank -> assertThat(last(rank).activeWorldSize()).isEqualTo(5));
        }
    }

    @Test
    void joinerWithoutAPlaceInterruptsNobodyAndStepsInWhenARankIsLost() {
        try (SteppedJob job = new SteppedJob(3)) {
            job.untilAll(RUNNING);
            SteppedRank spare = job.come(2);
            settle(job);
            job.pass(JOIN_WAIT.multipliedBy(10));
            settle(job);
            assertThat(job.rank(0).state()).isEqualTo(RUNNING);

            lose(job, job.rank(0), job.rank(1), job.rank(2));
            job.until(RUNNING, job.rank(1), job.rank(2), spare);

            assertThat(last(spare)).returns(1, State::iteration).returns(3, State::activeWorldSize);
            assertThat(job.rank(1).reports).hasSize(1);
        }
    }

    @Test
    void joinerThatDiesWhileItWaitsInterruptsNobody() {
        try (SteppedJob job = new SteppedJob(2)) {
            job.untilAll(RUNNING);
            SteppedRank joiner = job.come(0);
            job.until(JOINING, joiner);
            settle(job);

            job.kill(joiner);
            settle(job);

            assertThat(job.rank(0).state()).isEqualTo(RUNNING);
            complete(job, job.rank(0), job.rank(1));
            assertThat(job.rank(0).reports).isEmpty();
        }
    }

    @Test
    void faultInTheSameMomentCostsOneRestart() {
        try (SteppedJob job = new SteppedJob(2, with(Elasticity.defaults().maxRanks(4)))) {
            job.untilAll(RUNNING);
            SteppedRank joiner = job.come(0);
            settle(job);
            job.rank(1).orderThrow(new IllegalStateException("NaN"));

            job.restart();

            assertThat(last(joiner).iteration()).isEqualTo(1);
            assertThat(job.rank(0).reports).hasSize(1);
        }
    }

    @Test
    void joinerThatDiesAfterItsAdmissionInterruptsTheIteration() {
        try (SteppedJob job = new SteppedJob(2)) {
            job.untilAll(RUNNING);
            SteppedRank joiner = job.come(0);
            settle(job);
            job.rank(1).orderThrow(new IllegalStateException("NaN"));
            job.untilAllBut(joiner, LoopState.LAST_CALL);
            job.passLastCall();
            job.without(joiner, () -> job.until(RUNNING, job.rank(0), job.rank(1))); // admitted, and does not know it

            job.kill(joiner);
            job.until(() -> job.rank(0).state() != RUNNING, "rule 3");
            job.passLastCall();
            job.until(() -> job.rank(0).iterations.size() == 3, "the next iteration");

            assertThat(last(job.rank(0)).worldSize()).isEqualTo(2);
        }
    }

    /** Lets a process join, and kills it at once; the others continue without it. */
    private static void joinAndDie(SteppedJob job) {
        SteppedRank joiner = job.come(0);
        job.until(LoopState.LAST_CALL, job.rank(0), job.rank(1));
        job.passLastCall();
        job.until(RUNNING, job.rank(0), job.rank(1), joiner);
        lose(job, joiner, job.rank(0), job.rank(1));
        job.until(RUNNING, job.rank(0), job.rank(1));
    }

    @Test
    void processesThatDieSoonAfterTheirAdmissionInterruptTheOthersLessAndLess() {
        Scenario scenario = with(Elasticity.defaults().maxRanks(3));
        scenario.log = mock(Logger.class);
        try (SteppedJob job = new SteppedJob(2, scenario)) {
            job.untilAll(RUNNING);
            for (int i = 0; i <= AdmissionPause.FREE; i++) {
                joinAndDie(job);
            }
            int iterations = job.rank(0).iterations.size();

            SteppedRank another = job.come(0);
            settle(job);

            assertThat(another.state()).isEqualTo(JOINING);
            assertThat(job.rank(0).iterations).hasSize(iterations);
            verify(scenario.log, atLeastOnce())
                    .warn(contains("admits no other for {} s"), any(), eq(4), eq(10L), eq(1L));

            job.pass(AdmissionPause.FIRST_PAUSE);
            job.until(LoopState.LAST_CALL, job.rank(0), job.rank(1));
            job.passLastCall();
            job.until(RUNNING, job.rank(0), job.rank(1), another);
            assertThat(last(another).activeWorldSize()).isEqualTo(3);
        }
    }

    @Test
    void faultOfAnotherRankDuringAPauseTakesNobodyIn() {
        try (SteppedJob job = new SteppedJob(2, with(Elasticity.defaults().maxRanks(3)))) {
            job.untilAll(RUNNING);
            for (int i = 0; i <= AdmissionPause.FREE; i++) {
                joinAndDie(job);
            }
            SteppedRank another = job.come(0);
            settle(job);

            job.rank(1).orderThrow(new IllegalStateException("NaN"));
            job.until(LoopState.LAST_CALL, job.rank(0), job.rank(1));
            job.passLastCall();
            job.until(RUNNING, job.rank(0), job.rank(1));

            assertThat(another.state()).isEqualTo(JOINING);
            assertThat(last(job.rank(0)).activeWorldSize()).isEqualTo(2);
        }
    }

    @Test
    void jobThatCannotGoOnWithoutTakesInWhoComesDuringAPause() {
        try (SteppedJob job =
                new SteppedJob(2, with(Elasticity.defaults().minRanks(2).maxRanks(3)))) {
            job.untilAll(RUNNING);
            for (int i = 0; i <= AdmissionPause.FREE; i++) {
                joinAndDie(job);
            }
            SteppedRank another = job.come(0);
            settle(job);
            lose(job, job.rank(1), job.rank(0));

            job.until(RUNNING, job.rank(0), another);

            assertThat(last(another).activeWorldSize()).isEqualTo(2);
        }
    }

    @Test
    void whoComesInTheMomentOfTheCompletionReturnsAsAReserveDoes() {
        Scenario scenario = new Scenario();
        scenario.log = mock(Logger.class);
        try (SteppedJob job = new SteppedJob(2, scenario)) {
            job.untilAll(RUNNING);
            SteppedRank joiner = job.come(0);
            job.until(JOINING, joiner);

            complete(job, job.rank(0), job.rank(1));
            job.until(CLOSED, joiner);

            assertThat(joiner.loop.result()).isNull();
            assertThat(joiner.loop.departure()).isNull();
            assertThat(joiner.loop.isEndKnown()).isTrue();
            assertThat(joiner.loop.comesAgain()).isFalse();
            verify(scenario.log).info(contains("was not needed: the job is complete"), any(Object.class));
        }
    }

    @Test
    void whoWaitsWhenAllMembersDieComesAgainInTheNextGeneration() {
        Scenario scenario = new Scenario();
        scenario.log = mock(Logger.class);
        try (SteppedJob job = new SteppedJob(2, scenario)) {
            job.untilAll(RUNNING);
            SteppedRank one = job.come(0);
            SteppedRank two = job.come(1);
            job.until(JOINING, one, two);

            job.kill(job.rank(0));
            job.kill(job.rank(1));
            job.until(CLOSED, one, two);

            assertThat(one.loop.comesAgain()).isTrue();
            verify(scenario.log, times(2))
                    .info(contains("the processes that come now found its next generation"), any(Object.class));
            SteppedRank founder = job.come(0);
            SteppedRank other = job.come(1);
            job.until(RUNNING, founder, other);
            assertThat(last(founder))
                    .returns(0, State::initialRank)
                    .returns(State.Entry.FOUNDED, State::entry)
                    .returns(1, State::generation)
                    .returns(100, State::iteration)
                    .returns(1, State::jobRestarts);
            founder.orderThrow(new IllegalStateException("NaN"));
            job.until(LoopState.LAST_CALL, founder, other);
            job.passLastCall();
            job.until(() -> other.iterations.size() == 2, "iteration 101");
            assertThat(last(other)).returns(101, State::iteration).returns(2, State::jobRestarts);
        }
    }

    @Test
    void joinerLeadsWhenAllFoundersAreGone() {
        try (SteppedJob job = new SteppedJob(2)) {
            job.untilAll(RUNNING);
            SteppedRank joiner = job.come(0);
            job.until(JOINING, joiner);
            lose(job, job.rank(0), job.rank(1));
            job.until(RUNNING, job.rank(1), joiner);

            lose(job, job.rank(1), joiner);
            job.until(RUNNING, joiner);

            assertThat(last(joiner)).returns(2, State::iteration).returns(1, State::worldSize);
            complete(job, joiner);
        }
    }

    /** The race that {@link Leadership} guards: the watch reports the second joiner before the leader begins to wait. */
    @Test
    void whoComesWhileTheLeaderFindsTooFewIsNotOverlooked() {
        Scenario scenario = with(Elasticity.defaults().minRanks(3));
        Deque<Runnable> whileTheLeaderDecides = new ArrayDeque<>();
        RankAssignment plain = scenario.assignment;
        scenario.assignment = world -> {
            if (!whileTheLeaderDecides.isEmpty()) {
                whileTheLeaderDecides.remove().run();
            }
            return plain.assign(world);
        };
        try (SteppedJob job = new SteppedJob(3, scenario)) {
            SteppedRank leader = job.rank(0);
            job.untilAll(RUNNING);
            job.kill(job.rank(2));
            lose(job, job.rank(1), leader);
            job.until(REGROUPING, leader);
            settle(job);
            SteppedRank first = job.come(1);
            first.loop.step();

            whileTheLeaderDecides.add(() -> job.come(2).loop.step());
            for (int i = 0; i < 10; i++) {
                leader.loop.step();
            }
            SteppedRank second = job.rank(4);
            job.until(RUNNING, leader, first, second);

            assertThat(last(second)).returns(1, State::iteration).returns(3, State::activeWorldSize);
        }
    }

    @Test
    void survivorsWaitForAReplacement() {
        Duration wait = Duration.ofSeconds(20);
        try (SteppedJob job = new SteppedJob(2, with(Elasticity.defaults().replacementWait(wait)))) {
            job.untilAll(RUNNING);
            lose(job, job.rank(0), job.rank(1));
            job.until(REGROUPING, job.rank(1));
            settle(job);
            assertThat(job.rank(1).state()).isEqualTo(REGROUPING);

            SteppedRank replacement = job.come(0);
            job.until(RUNNING, job.rank(1), replacement);

            assertThat(last(job.rank(1))).returns(1, State::iteration).returns(2, State::activeWorldSize);
        }
    }

    @Test
    void survivorsGoOnSmallerWithoutAReplacement() {
        Duration wait = Duration.ofSeconds(20);
        try (SteppedJob job = new SteppedJob(2, with(Elasticity.defaults().replacementWait(wait)))) {
            job.untilAll(RUNNING);
            lose(job, job.rank(0), job.rank(1));
            job.until(REGROUPING, job.rank(1));
            settle(job);

            job.pass(wait);
            job.until(RUNNING, job.rank(1));

            assertThat(last(job.rank(1))).returns(1, State::iteration).returns(1, State::activeWorldSize);
        }
    }

    @Test
    void survivorsWaitForAPromisedReplacementUntilTheAgentDies() {
        Duration wait = Duration.ofSeconds(20);
        try (SteppedJob job = new SteppedJob(2, with(Elasticity.defaults().replacementWait(wait)))) {
            job.untilAll(RUNNING);
            InMemoryStore agent = job.store().newSession();
            assertThat(new Promises(agent, Generation.FIRST, 2).make()).isCompletedWithValue(2);
            lose(job, job.rank(0), job.rank(1));
            job.until(REGROUPING, job.rank(1));
            settle(job);
            assertThat(job.rank(1).state()).isEqualTo(REGROUPING);

            agent.abandon();
            job.until(RUNNING, job.rank(1)); // without another wait

            assertThat(last(job.rank(1))).returns(1, State::iteration).returns(1, State::activeWorldSize);
        }
    }

    @Test
    void survivorsDoNotWaitWhereAgentsMakePromisesAndNoneIsOpen() {
        Duration wait = Duration.ofSeconds(20);
        try (SteppedJob job = new SteppedJob(2, with(Elasticity.defaults().replacementWait(wait)))) {
            job.untilAll(RUNNING);
            InMemoryStore agent = job.store().newSession();
            assertThat(new Promises(agent, Generation.FIRST, 2).make()).isCompletedWithValue(2);
            agent.abandon();

            lose(job, job.rank(0), job.rank(1));
            job.until(RUNNING, job.rank(1));

            assertThat(last(job.rank(1)).activeWorldSize()).isEqualTo(1);
        }
    }

    @Test
    void jobWithTooFewRanksEndsOnAllAndNamesThem() {
        Scenario scenario = with(Elasticity.defaults().minRanks(3).rendezvousTimeout(Duration.ofMinutes(1)));
        scenario.log = mock(Logger.class);
        try (SteppedJob job = new SteppedJob(3, scenario)) {
            job.untilAll(RUNNING);
            lose(job, job.rank(0), job.rank(1), job.rank(2));
            job.until(REGROUPING, job.rank(1), job.rank(2));
            settle(job);
            job.pass(Duration.ofSeconds(5));
            settle(job);
            verify(scenario.log)
                    .info(
                            contains("is still waiting"),
                            any(),
                            eq(5L),
                            any(),
                            eq(
                                    "the leader waits up to 60 s for ranks to join, since 2 ranks would be active, and minRanks is 3"));

            job.pass(Duration.ofSeconds(55));
            job.until(CLOSED, job.rank(1), job.rank(2));

            assertThat(job.rank(2).loop.departure()).isInstanceOfSatisfying(TooFewRanksException.class, few -> {
                assertThat(few.left()).isEqualTo(IndexSet.of(1, 2));
                assertThat(few.came()).isEqualTo(IndexSet.empty());
                assertThat(few.activeRanks()).isEqualTo(2);
            });
            assertThat(job.rank(1).loop.departure()).isInstanceOf(TooFewRanksException.class);
        }
    }

    @Test
    void jobGoesOnWithoutAFounderThatNeverCame() {
        Elasticity elasticity = Elasticity.defaults().minRanks(2);
        try (SteppedJob job = new SteppedJob(3, 2, with(elasticity))) {
            job.until(LoopState.FOUNDING, job.rank(0), job.rank(1));
            settle(job);
            job.pass(elasticity.rendezvousTimeout());
            job.until(RUNNING, job.rank(0), job.rank(1));
            assertThat(last(job.rank(0))).returns(2, State::worldSize).returns(0, State::iteration);

            SteppedRank late = job.come(2);
            assertThat(late.identity.rank()).isEqualTo(3);
            job.restart();

            assertThat(last(late)).returns(3, State::activeWorldSize);
        }
    }

    @Test
    void jobWithoutItsLeaderThatNeverCameGoesOnAsWell() {
        Scenario scenario = new Scenario();
        scenario.isHosted = false;
        try (SteppedJob job = new SteppedJob(3, 0, scenario)) {
            SteppedRank one = job.come(1);
            SteppedRank two = job.come(2);
            settle(job);
            job.pass(Elasticity.defaults().rendezvousTimeout());

            job.until(RUNNING, one, two);

            assertThat(last(two)).returns(1, State::activeRank);
        }
    }

    @Test
    void whoReplacesTheOnlyFounderThatCameFoundsTheNextGeneration() {
        Elasticity elasticity = Elasticity.defaults();
        try (SteppedJob job = new SteppedJob(2, 1, with(elasticity))) {
            job.until(LoopState.FOUNDING, job.rank(0));
            settle(job);
            SteppedRank first = job.rank(0);
            job.kill(first);
            SteppedRank replacement = job.come(0);
            settle(job);
            assertThat(replacement.state()).isEqualTo(JOINING);

            job.pass(elasticity.rendezvousTimeout());
            job.until(CLOSED, replacement);

            assertThat(replacement.loop.comesAgain()).isTrue();
            assertThat(job.come(0).identity.generation().number()).isEqualTo(1);
        }
    }

    @Test
    void founderThatTheOthersHaveCompletedWithoutDoesNotRunTheJobAgain() {
        try (SteppedJob job = new SteppedJob(2)) {
            SteppedRank late = job.rank(1); // has claimed its rank, and is not stepped
            job.without(late, () -> {
                settle(job);
                job.pass(Elasticity.defaults().rendezvousTimeout());
                job.until(RUNNING, job.rank(0));
                complete(job, job.rank(0));
            });

            job.until(CLOSED, late);

            assertThat(late.loop.comesAgain()).isTrue();
            assertThat(late.isCalled()).isFalse();
        }
    }

    @Test
    void rendezvousEndsEvenIfTheLowestThatCameDiesAfterTheTimeout() {
        try (SteppedJob job = new SteppedJob(3, 0, notHosted())) {
            SteppedRank two = job.come(2);
            SteppedRank one = job.come(1);
            settle(job);
            job.kill(one); // before it looks at the clock: it would go on without rank 0
            job.pass(Elasticity.defaults().rendezvousTimeout());

            job.until(RUNNING, two);

            assertThat(last(two)).returns(1, State::worldSize);
        }
    }

    @Test
    void whoWaitsEndsTheRendezvousEvenIfTheLastFounderDiesAfterTheTimeout() {
        try (SteppedJob job = new SteppedJob(2, 1, with(Elasticity.defaults().minRanks(2)))) {
            SteppedRank founder = job.rank(0);
            settle(job);
            SteppedRank joiner = job.come(0);
            settle(job);
            job.without(founder, () -> {
                job.pass(Elasticity.defaults().rendezvousTimeout());
                settle(job);
            });
            assertThat(joiner.state()).isEqualTo(JOINING);

            job.kill(founder);
            job.until(CLOSED, joiner);

            assertThat(joiner.loop.comesAgain()).isTrue();
        }
    }

    private static Scenario notHosted() {
        Scenario scenario = new Scenario();
        scenario.isHosted = false;
        return scenario;
    }

    @Test
    void tooFewFoundersNameWhoHasCome() {
        Elasticity elasticity = Elasticity.defaults().minRanks(3);
        try (SteppedJob job = new SteppedJob(3, 2, with(elasticity))) {
            settle(job);
            job.pass(elasticity.rendezvousTimeout());

            job.until(CLOSED, job.rank(0), job.rank(1));

            assertThat(job.rank(0).loop.departure())
                    .isInstanceOfSatisfying(
                            TooFewRanksException.class,
                            few -> assertThat(few.left()).isEqualTo(IndexSet.of(0, 1)));
        }
    }

    @Test
    void joinersWaitForTheNextRestartIfThePolicySaysSo() {
        Elasticity elasticity = Elasticity.defaults().maxRanks(3).admission(Admission.atNextRestart());
        try (SteppedJob job = new SteppedJob(2, with(elasticity))) {
            job.untilAll(RUNNING);
            SteppedRank joiner = job.come(0);
            settle(job);
            job.pass(JOIN_WAIT);
            settle(job);
            assertThat(job.rank(0).state()).isEqualTo(RUNNING);

            job.rank(1).orderThrow(new IllegalStateException("NaN"));
            job.restart();

            assertThat(last(joiner)).returns(3, State::activeWorldSize);
        }
    }

    @Test
    void whoCannotBeAdmittedInterruptsNobodyAndTheLeaderSaysWhy() {
        Scenario scenario = new Scenario();
        scenario.log = mock(Logger.class);
        scenario.assignment = world -> {
            if (world.placements().size() > 2) {
                throw new IllegalStateException("no room");
            }
            return RankAssignment.compose(RankAssignment.activateAllRanks(), RankAssignment.shiftRanks())
                    .assign(world);
        };
        try (SteppedJob job = new SteppedJob(2, scenario)) {
            job.untilAll(RUNNING);

            SteppedRank joiner = job.come(0);
            settle(job);

            assertThat(joiner.state()).isEqualTo(JOINING);
            assertThat(job.rank(0).reports).isEmpty();
            verify(scenario.log)
                    .warn(
                            eq("{} cannot admit all processes that wait to join: {}"),
                            any(Object.class),
                            contains("no room"));
        }
    }

    @Test
    void processThatWaitsForHoursSaysOnceForWhat() {
        Scenario scenario = new Scenario();
        scenario.log = mock(Logger.class);
        try (SteppedJob job = new SteppedJob(2, scenario)) {
            job.untilAll(RUNNING);
            SteppedRank spare = job.come(0);
            settle(job);

            for (int hour = 0; hour < 3; hour++) {
                spare.clock.advance(Duration.ofHours(1));
                spare.loop.step();
            }

            assertThat(spare.state()).isEqualTo(JOINING);
            verify(scenario.log).info(contains("is still waiting after {} s to join"), any(), any());
        }
    }

    /** Who reads that it waits relies on it: a rank that fails now is replaced by it at once. */
    @Test
    void joinerSaysThatItWaitsWhenTheStoreKnowsOfIt() {
        Scenario scenario = new Scenario();
        scenario.log = mock(Logger.class);
        CompletableFuture<Void> isAnswered = new CompletableFuture<>();
        scenario.wayToStore = session -> new ForwardingStore(session) {
            @Override
            public CompletableFuture<List<@Nullable Object>> submit(
                    List<? extends Operation<?>> operations, Duration timeout) {
                boolean announces = operations.stream()
                        .anyMatch(operation -> operation instanceof Operation.AddToSet set
                                && set.key().endsWith("/joined"));
                CompletableFuture<List<@Nullable Object>> answer = super.submit(operations, timeout);
                return announces ? isAnswered.thenCompose(now -> answer) : answer;
            }
        };
        try (SteppedJob job = new SteppedJob(2, scenario)) {
            job.untilAll(RUNNING);
            job.come(0);
            settle(job);
            verify(scenario.log, never()).info(contains("waits to join"), any(Object.class));

            isAnswered.complete(null);
            settle(job);

            verify(scenario.log).info(contains("waits to join"), any(Object.class));
        }
    }

    /** Steps until nothing changes any more: requests to a store in memory are answered at once. */
    private static void settle(SteppedJob job) {
        for (int i = 0; i < 50; i++) {
            job.stepAll();
        }
    }
}
