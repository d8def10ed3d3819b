package dev.resiliency.inprocess.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.internal.protocol.Joiner.Admitted;
import dev.resiliency.inprocess.internal.protocol.Member.Regrouped;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.spi.InMemoryStore;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Rule 9: a process that waits to be admitted. */
class JoinerTest extends ThreeRanks {
    private int finished;
    private int succeeded;

    /** A process that has come to the running job with the number 3, or a higher one. */
    private RestartStore come(InMemoryStore session) {
        return come(session, List.of());
    }

    private RestartStore come(InMemoryStore session, List<String> groupKeys) {
        Identity identity = enroll(session, 1, 3);
        assertThat(identity.isJoiner()).isTrue();
        return new RestartStore(session, identity, groupKeys);
    }

    private void announce(RestartStore view) {
        assertThat(view.joiner().announce(() -> finished++, () -> succeeded++, true))
                .isCompleted();
    }

    private void abandonAllRanks() {
        ranks.forEach(rank -> rank.session.abandon());
    }

    @Test
    void processThatWaitsIsKnownWithItsKeys() throws Exception {
        enter(0);

        announce(come(store.newSession(), List.of("node-7", "rack-1")));
        announce(come(store.newSession()));

        assertThat(store.members("0/joined")).isEqualTo(IndexSet.of(3, 4));
        assertThat(WorldCodec.readAll(store.get("0/keys/3").text())).containsExactly("node-7", "rack-1");
        assertThat(store.check(List.of("0/keys/4"))).isFalse();
        assertThat(finished + succeeded).isZero();
    }

    @Test
    void processThatDiesWhileItWaitsInterruptsNobody() throws Exception {
        enter(0);
        InMemoryStore session = store.newSession();
        announce(come(session));

        session.abandon();

        assertThat(store.members("0/terminated")).isEqualTo(IndexSet.of(3));
        assertThat(ranks).allSatisfy(rank -> assertThat(rank.outcomes).isEmpty());
    }

    @Test
    void processThatLeavesWhileItWaitsInterruptsNobody() throws Exception {
        enter(0);
        InMemoryStore session = store.newSession();
        RestartStore view = come(session);
        announce(view);

        view.terminations()
                .leave(
                        RestartStore.BEFORE_FIRST,
                        new Interruption(3, Interruption.Kind.TERMINATED_BY_RANK, null, "enough"))
                .join();
        session.abandon();

        assertThat(store.members("0/terminated")).isEqualTo(IndexSet.of(3));
        assertThat(ranks).allSatisfy(rank -> assertThat(rank.outcomes).isEmpty());
    }

    @Test
    void processIsAdmittedWithTheNextDecisionAndLearnsAllMembers() {
        enter(0);
        RestartStore view = come(store.newSession());
        CompletableFuture<Admitted> admission = view.joiner().awaitAdmission();
        announce(view);
        interrupt(0, 0, "NaN");
        ranks.forEach(rank -> rank.regroup(1));
        assertThat(admission).isNotDone();

        lead(0, 1, ALL);

        assertThat(admission).isCompletedWithValue(new Admitted(1, 3));
        Regrouped regrouped = view.member()
                .awaitDecision(1, State.Entry.JOINED, 3, null, change -> {})
                .join();
        assertThat(regrouped.members()).isEqualTo(IndexSet.range(0, 4));
        assertThat(regrouped.interruptions()).hasSize(1);
        assertThat(regrouped.decision()).isInstanceOfSatisfying(Decision.Placed.class, placed -> {
            assertThat(placed.state().initialRank()).isEqualTo(3);
            assertThat(placed.state().entry()).isEqualTo(State.Entry.JOINED);
            assertThat(placed.state().activeWorldSize()).isEqualTo(4);
            assertThat(placed.added()).isEqualTo(IndexSet.of(3));
        });
    }

    @Test
    void admittedProcessThatDiesInterruptsTheOthers() {
        enter(0);
        InMemoryStore session = store.newSession();
        RestartStore view = come(session);
        announce(view);
        interrupt(0, 0, "NaN");
        enter(1);
        view.member()
                .awaitDecision(1, State.Entry.JOINED, 3, null, change -> {})
                .join();

        session.abandon();

        assertThat(ranks)
                .allSatisfy(
                        rank -> assertThat(rank.outcomes).containsExactly(Outcome.INTERRUPTED, Outcome.INTERRUPTED));
    }

    @Test
    void barrierAwaitsTheOneThatHasJoined() {
        enter(0);
        RestartStore view = come(store.newSession());
        announce(view);
        interrupt(0, 0, "NaN");
        enter(1);
        interrupt(0, 1, "NaN");
        ranks.forEach(rank -> rank.regroup(2));
        CompletableFuture<?> before = ranks.get(0).view.leader().worldBefore(2, LIMIT);
        assertThat(before).isNotDone();

        assertThat(view.member().arrive(2)).isCompleted();

        assertThat(before).isCompleted();
    }

    @Test
    void processThatWaitsLearnsThatTheJobIsComplete() {
        enter(0);
        announce(come(store.newSession()));

        complete(0);

        assertThat(finished).isEqualTo(1);
        assertThat(succeeded).isZero();
    }

    @Test
    void processThatAnnouncesItselfTooLateLearnsThatTheJobIsComplete() {
        enter(0);
        RestartStore view = come(store.newSession());
        complete(0);

        announce(view);

        assertThat(finished).isEqualTo(1);
    }

    @Test
    void firstOfThoseWhoWaitMovesTheJobOn() throws Exception {
        enter(0);
        RestartStore one = come(store.newSession());
        RestartStore two = come(store.newSession());
        announce(one);
        announce(two);
        abandonAllRanks();

        assertThat(one.joiner().succeedIfOver()).isCompleted();
        assertThat(two.joiner().succeedIfOver()).isCompleted();

        assertThat(store.get("generation").text()).isEqualTo("1 100 1");
        assertThat(succeeded).as("both know").isEqualTo(2);
        assertThat(finished).isZero();
    }

    @Test
    void processThatAnnouncesItselfTooLateLearnsThatTheJobHasMovedOn() {
        enter(0);
        RestartStore one = come(store.newSession());
        RestartStore two = come(store.newSession());
        abandonAllRanks();
        one.joiner().succeedIfOver().join();

        announce(two);

        assertThat(succeeded).isEqualTo(1);
    }

    @Test
    void jobThatHasNotBegunIsOverWhenAllFoundersHaveGone() throws Exception {
        RestartStore view = come(store.newSession());
        abandonAllRanks();

        view.joiner().succeedIfOver().join();

        assertThat(store.get("generation").text()).isEqualTo("1 0 0");
    }

    @Test
    void jobGoesOnWhileOneMemberLives() throws Exception {
        enter(0);
        RestartStore view = come(store.newSession());
        announce(view);
        ranks.get(0).session.abandon();
        ranks.get(2).session.abandon();

        view.joiner().succeedIfOver().join();

        assertThat(store.get("generation").text()).isEqualTo("0 0 0");
        assertThat(succeeded).isZero();
    }

    @Test
    void completeJobHasNoNextGeneration() throws Exception {
        enter(0);
        RestartStore view = come(store.newSession());
        complete(0);
        abandonAllRanks();

        view.joiner().succeedIfOver().join();

        assertThat(store.get("generation").text()).isEqualTo("0 0 0");
    }

    @Test
    void generationGoesOnWithTheOneThatHasJoinedWhenItsFoundersHaveGone() throws Exception {
        enter(0);
        RestartStore member = come(store.newSession());
        announce(member);
        interrupt(0, 0, "NaN");
        enter(1);
        RestartStore view = come(store.newSession());
        abandonAllRanks();

        view.joiner().succeedIfOver().join();

        assertThat(store.get("generation").text()).isEqualTo("0 0 0");
    }
}
