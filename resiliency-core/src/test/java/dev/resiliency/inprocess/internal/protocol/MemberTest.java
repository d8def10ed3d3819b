package dev.resiliency.inprocess.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.Interruption.Kind;
import dev.resiliency.inprocess.internal.protocol.Member.Rendezvous;
import dev.resiliency.store.BarrierOverflowException;
import dev.resiliency.store.BarrierTimeoutException;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreTimeoutException;
import dev.resiliency.store.spi.ForwardingStore;
import dev.resiliency.store.spi.InMemoryStore;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Rules 1, 4, 5 and 6 from the view of a member. */
class MemberTest extends ThreeRanks {
    @Test
    void faultInterruptsTheIterationOnAllRanks() {
        enter(0);

        assertThat(interrupt(1, 0, "NaN")).isEqualTo(Outcome.INTERRUPTED);

        assertAllLearned(Outcome.INTERRUPTED);
        enter(1);
        assertThat(ranks.get(2).regrouped.join().interruptions())
                .containsExactly(new Interruption(1, Kind.EXCEPTION, null, "NaN"));
    }

    @Test
    void lastArrivalCompletesTheIterationOnAllRanks() {
        enter(0);
        assertThat(ranks.get(0).view.member().complete(0, LIMIT)).isNotDone();
        assertThat(ranks.get(1).outcomes).isEmpty();

        assertThat(complete(0)).allSatisfy(arrival -> assertThat(arrival).isDone());

        assertAllLearned(Outcome.COMPLETED);
    }

    @Test
    void faultAfterTheCompletionComesTooLate() {
        enter(0);
        complete(0);

        assertThat(interrupt(1, 0, "NaN")).isEqualTo(Outcome.COMPLETED);

        assertAllLearned(Outcome.COMPLETED);
    }

    @Test
    void completionAfterAFaultComesTooLate() {
        enter(0);
        interrupt(1, 0, "NaN");

        complete(0);

        assertAllLearned(Outcome.INTERRUPTED);
    }

    @Test
    void rankThatAwaitsTheNextDecisionIsNoLongerNotifiedOfTheIterationBefore() throws Exception {
        enter(0);
        interrupt(1, 0, "NaN");
        enter(1);

        ranks.get(0).ask(2);
        store.set("0/0/outcome", "INTERRUPTED");

        assertThat(ranks.get(0).outcomes).hasSize(1);
        assertThat(ranks.get(1).outcomes).hasSize(2);
    }

    @Test
    void decisionMayBeAwaitedLongBeforeItIsDue() throws Exception {
        enter(0);
        ranks.forEach(rank -> rank.ask(1));
        interrupt(1, 0, "NaN");
        ranks.forEach(rank -> rank.arrive(1));
        assertThat(ranks).noneMatch(rank -> rank.regrouped.isDone());

        lead(0, 1, ALL);

        assertThat(ranks.get(2).decision()).isInstanceOf(Decision.Placed.class);
        assertThat(ranks.get(2).regrouped.join().interruptions()).hasSize(1);
        ranks.get(2).session.abandon();
        assertThat(store.get("0/1/records").text())
                .as("its last will is that of iteration 1")
                .startsWith("2 TERMINATED");
    }

    @Test
    void waitForADecisionFailsNamingTheRanksThatHaveNotStopped() {
        ranks.get(0).regroup(0);

        ranks.get(1).regroup(0);

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(ranks.get(1)
                        .view
                        .member()
                        .awaitDecisionWithin(0, 1, Duration.ofMillis(1), Duration.ofSeconds(2))::get)
                .havingCause()
                .isInstanceOfSatisfying(BarrierTimeoutException.class, late -> {
                    assertThat(late.missing()).isEqualTo(IndexSet.of(2));
                    assertThat(late.timeout()).isEqualTo(Duration.ofSeconds(2));
                });
    }

    @Test
    void waitForADecisionFailsIfNoLeaderDecides() {
        ranks.get(0).regroup(0);
        ranks.get(2).regroup(0);

        ranks.get(1).regroup(0);

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(ranks.get(1)
                        .view
                        .member()
                        .awaitDecisionWithin(0, 1, Duration.ofMillis(1), Duration.ofSeconds(2))::get)
                .havingCause()
                .isInstanceOf(StoreTimeoutException.class)
                .withMessage("all have stopped, but no leader has decided iteration 0 within 2.0 s");
    }

    @Test
    void rankThatWaitsLongArrivesAgainInCaseItsArrivalWasLost() {
        enter(0);
        interrupt(1, 0, "NaN");
        regroup(1, 0, 1);
        ranks.get(2).ask(1);

        CompletableFuture<?> waiting = ranks.get(2).view.member().awaitDecisionWithin(1, 2, LIMIT, LIMIT);
        lead(0, 1, ALL);

        assertThat(ranks.get(2).decision()).isInstanceOf(Decision.Placed.class);
        assertThat(waiting).isCompleted();
    }

    @Test
    void silentStoreIsNotMistakenForAMissingLeader() {
        StoreTimeoutException silent = new StoreTimeoutException("the store did not answer", LIMIT);
        SessionStore store = mock();
        when(store.batch()).thenCallRealMethod();
        when(store.submit(any(), any())).thenReturn(CompletableFuture.failedFuture(silent));

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(new RestartStore(store, 0, 3).member().awaitDecisionWithin(0, 0, LIMIT, LIMIT)::get)
                .withCause(silent);
    }

    @Test
    void rankOfALargerJobIsRejectedAtOnce() {
        ranks.get(0).regroup(0);

        try (InMemoryStore session = store.newSession()) {
            CompletableFuture<?> arrival =
                    new RestartStore(session, 5, 8).member().arrive(0);

            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(arrival::get)
                    .withCauseInstanceOf(BarrierOverflowException.class);
        }
    }

    @Test
    void rankThatDoesNotCompleteInTimeIsNamed() {
        enter(0);
        assertThat(ranks.get(0).view.member().complete(0, LIMIT)).isNotDone();

        CompletableFuture<?> arrival = ranks.get(1).view.member().complete(0, Duration.ofMillis(1));

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(arrival::get)
                .havingCause()
                .isInstanceOfSatisfying(
                        BarrierTimeoutException.class,
                        late -> assertThat(late.missing()).isEqualTo(IndexSet.of(2)));
    }

    @Test
    void completedJobIsFinishedInTheSameStep() throws Exception {
        enter(0);
        List<CompletableFuture<?>> arrivals = new ArrayList<>();
        ranks.subList(0, 2).forEach(rank -> arrivals.add(rank.view.member().complete(0, LIMIT)));
        assertThat(store.members("finished").isEmpty()).isTrue();

        arrivals.add(ranks.get(2).view.member().complete(0, LIMIT));

        assertThat(store.members("finished").isEmpty()).isFalse();
    }

    @Test
    void jobThatWasInterruptedIsNotFinished() throws Exception {
        enter(0);
        interrupt(1, 0, "NaN");

        complete(0);

        assertThat(store.members("finished").isEmpty()).isTrue();
    }

    @Test
    void waitForADecisionIsLongerByTheWaitOfTheLeader() {
        regroup(0, 0, 1, 2);
        ranks.get(0).view.leader().announceWait(0, Duration.ofMillis(5), "for replacements");
        assertThat(ranks.get(1).view.member().leaderWait(0))
                .isCompletedWithValue(new LeaderWait(Duration.ofMillis(5), "for replacements"));

        assertThatExceptionOfType(ExecutionException.class)
                .isThrownBy(ranks.get(1)
                        .view
                        .member()
                        .awaitDecisionWithin(0, 1, Duration.ofMillis(1), Duration.ofSeconds(2))::get)
                .havingCause()
                .withMessage("all have stopped, but no leader has decided iteration 0 within 2.005 s");
    }

    @Test
    void leaderThatDoesNotWaitSaysNothing() {
        assertThat(ranks.get(1).view.member().leaderWait(0)).isCompletedWithValue(new LeaderWait(Duration.ZERO, ""));
    }

    @Test
    void missingAreTheMembersThatHaveNeitherStoppedNorGone() {
        enter(0);
        interrupt(1, 0, "NaN");
        regroup(1, 1);
        assertThat(ranks.get(1).view.member().missing(1, IndexSet.range(0, 3))).isCompletedWithValue(IndexSet.of(0, 2));

        ranks.get(2).session.abandon();

        assertThat(ranks.get(1).view.member().missing(1, IndexSet.range(0, 3))).isCompletedWithValue(IndexSet.of(0));
    }

    @Test
    void lowestThatHasComeGoesOnWithoutTheMissing() throws Exception {
        regroup(0, 1, 2);
        Rendezvous expected = new Rendezvous(IndexSet.of(1, 2), IndexSet.of(0));

        assertThat(ranks.get(2).view.member().goOnWithout(1, Duration.ofMinutes(10)))
                .isCompletedWithValue(expected);
        assertThat(store.members("0/terminated").isEmpty())
                .as("rank 2 is not the lowest")
                .isTrue();
        assertThat(ranks.get(1).view.member().goOnWithout(2, Duration.ofMinutes(10)))
                .isCompletedWithValue(expected);

        assertThat(store.members("0/terminated")).isEqualTo(IndexSet.of(0));
        lead(1, 0, ALL);
        assertThat(ranks.get(2).decision())
                .isInstanceOfSatisfying(
                        Decision.Placed.class,
                        placed -> assertThat(placed.state().worldSize()).isEqualTo(2));
        assertThat(ranks.get(2).regrouped.join().interruptions())
                .containsExactly(new Interruption(0, Kind.TERMINATED, null, "it has not come within 600 s"));
    }

    @Test
    void tooFewDoNotGoOnWithoutTheMissing() throws Exception {
        regroup(0, 0, 1);

        assertThat(ranks.get(0).view.member().goOnWithout(3, LIMIT))
                .isCompletedWithValue(new Rendezvous(IndexSet.of(0, 1), IndexSet.of(2)));

        assertThat(store.members("0/terminated").isEmpty()).isTrue();
    }

    @Test
    void thoseWhoHaveDiedSinceTheyCameDoNotCount() throws Exception {
        regroup(0, 0, 1);
        ranks.get(0).session.abandon();

        assertThat(ranks.get(1).view.member().goOnWithout(2, LIMIT))
                .isCompletedWithValue(new Rendezvous(IndexSet.of(1), IndexSet.of(2)));
        assertThat(store.members("0/terminated")).as("one is too few").isEqualTo(IndexSet.of(0));

        ranks.get(1).view.member().goOnWithout(1, LIMIT).join();
        assertThat(store.members("0/terminated")).isEqualTo(IndexSet.of(0, 2));
    }

    @Test
    void nobodyIsMissingWhenAllHaveCome() throws Exception {
        regroup(0, 0, 1, 2);

        assertThat(ranks.get(0).view.member().goOnWithout(1, LIMIT))
                .isCompletedWithValue(new Rendezvous(IndexSet.range(0, 3), IndexSet.empty()));

        assertThat(store.members("0/terminated").isEmpty()).isTrue();
    }

    @Test
    void rankThatArrivesWhenTheOthersAreAboutToGoOnIsCountedIn() throws Exception {
        regroup(0, 0, 1);
        SessionStore session = new ForwardingStore(ranks.get(0).session) {
            @Override
            public CompletableFuture<List<@Nullable Object>> submit(
                    List<? extends Operation<?>> operations, Duration timeout) {
                if (operations.get(0) instanceof Operation.Confirm) {
                    ranks.get(2).regroup(0);
                }
                return super.submit(operations, timeout);
            }
        };

        new RestartStore(session, 0, 3).member().goOnWithout(2, LIMIT).join();

        assertThat(store.members("0/terminated").isEmpty()).isTrue();
        lead(0, 0, ALL);
        assertThat(ranks.get(2).decision())
                .isInstanceOfSatisfying(
                        Decision.Placed.class,
                        placed -> assertThat(placed.state().worldSize()).isEqualTo(3));
    }

    @Test
    void founderThatComesAfterTheOthersHaveGoneOnJoinsThem() {
        regroup(0, 0, 1);
        ranks.get(0).view.member().goOnWithout(2, LIMIT).join();
        lead(0, 0, ALL);

        try (InMemoryStore late = store.newSession()) {
            assertThat(enroll(late, 2, 3).rank()).isEqualTo(3);
        }
    }

    @Test
    void keysOfTheGenerationAreDeletedAndThoseOfTheJobStay() throws Exception {
        enter(0);
        complete(0);
        assertThat(store.keys("0/")).isNotEmpty();

        ranks.get(0).view.member().deleteGeneration();

        assertThat(store.keys("0/")).isEmpty();
        assertThat(store.keys("")).contains("generation", "finished");
    }

    @Test
    void rankIsAMemberUntilItCountsAsTerminated() throws Exception {
        enter(0);
        assertThat(ranks.get(1).view.member().isMember().join()).isTrue();

        store.addToSet("0/terminated", IndexSet.of(1));

        assertThat(ranks.get(1).view.member().isMember().join()).isFalse();
        assertThat(ranks.get(0).view.member().isMember().join()).isTrue();
    }
}
