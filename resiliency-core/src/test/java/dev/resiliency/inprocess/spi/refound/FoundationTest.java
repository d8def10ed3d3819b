package dev.resiliency.inprocess.spi.refound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.resiliency.store.IndexSet;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FoundationTest {
    private static final KnownWorld THREE = new KnownWorld(Term.FIRST, 4, IndexSet.range(0, 3), "");
    private static final KnownWorld FOUR = new KnownWorld(Term.FIRST, 4, IndexSet.range(0, 4), "");
    /** What follows both, without rank 0. */
    private static final KnownWorld NEXT = new KnownWorld(Term.FIRST, 5, IndexSet.of(1, 2), "");

    private static Foundation of(Map<Integer, Vote> votes) {
        return Foundation.of(votes, true);
    }

    private static Vote follower(KnownWorld world) {
        return Vote.first(world);
    }

    private static Vote inDoubt(KnownWorld agreed, KnownWorld accepted) {
        return Vote.first(agreed).accept(accepted);
    }

    @Test
    void moreThanHalfOfTheVotersAreEnough() {
        Foundation two = of(Map.of(1, follower(THREE), 2, follower(THREE)));
        Foundation half = of(Map.of(1, follower(FOUR), 2, follower(FOUR)));

        assertThat(two.base()).isEqualTo(THREE);
        assertThat(two.isEnough()).isTrue();
        assertThat(two.missing()).isEqualTo(IndexSet.of(0));
        assertThat(half.isEnough()).isFalse();
        assertThat(half.missing()).isEqualTo(IndexSet.of(0, 3));
    }

    @Test
    void whoIsNoMemberHasNoVote() {
        Foundation foundation = of(Map.of(1, follower(THREE), 7, follower(THREE)));

        assertThat(foundation.counted()).isEqualTo(IndexSet.of(1));
        assertThat(foundation.isEnough()).isFalse();
    }

    @Test
    void baseIsTheLastWorldThatAnyVoteKnowsToBeAgreed() {
        Foundation foundation = of(Map.of(
                1, inDoubt(THREE, NEXT).agree(),
                2, follower(THREE)));

        assertThat(foundation.base()).isEqualTo(NEXT);
        assertThat(foundation.counted()).isEqualTo(IndexSet.of(1, 2));
    }

    @Test
    void baseIsAWorldThatHalfOfTheVotersBeforeHaveAccepted() {
        Foundation foundation = of(Map.of(
                1, inDoubt(FOUR, NEXT).withText("0:0/-1:\n"),
                2, inDoubt(FOUR, NEXT)));

        assertThat(foundation.base().withText("")).isEqualTo(NEXT);
        assertThat(foundation.isEnough()).isTrue();
    }

    @Test
    void whoHasAcceptedAWorldInDoubtDoesNotCountForTheOneBefore() {
        Foundation foundation = of(Map.of(
                1, inDoubt(FOUR, NEXT),
                0, follower(FOUR),
                3, follower(FOUR)));

        assertThat(foundation.base()).isEqualTo(FOUR);
        assertThat(foundation.counted()).isEqualTo(IndexSet.of(0, 3));
        assertThat(foundation.isEnough()).isFalse();
    }

    /** Of eight, one has left; whether it was counted with the three that have accepted the world without it, only the lost store knew. */
    @Test
    void worldThatTooFewHaveAcceptedIsVoidOnceAllItsMembersHaveCome() {
        KnownWorld eight = new KnownWorld(Term.FIRST, 4, IndexSet.range(0, 8), "");
        KnownWorld seven = new KnownWorld(Term.FIRST, 5, IndexSet.range(0, 7), "");
        Map<Integer, Vote> votes = new HashMap<>();
        for (int voter = 0; voter < 7; voter++) {
            votes.put(voter, voter < 3 ? inDoubt(eight, seven) : follower(eight));
        }
        Map<Integer, Vote> butOne = new HashMap<>(votes);
        butOne.remove(6);

        assertThat(of(votes).base()).isEqualTo(eight);
        assertThat(of(votes).counted()).isEqualTo(IndexSet.range(0, 7));
        assertThat(of(butOne).counted()).isEqualTo(IndexSet.of(3, 4, 5));
        assertThat(Foundation.of(votes, false).counted()).isEqualTo(IndexSet.range(3, 7));
        votes.put(1, inDoubt(eight, seven).agree());
        assertThat(of(votes).base()).isEqualTo(seven);
        votes.put(1, inDoubt(eight, seven));
        votes.put(6, follower(eight).cede());
        assertThat(of(votes).counted()).isEqualTo(IndexSet.of(3, 4, 5));
    }

    @Test
    void worldWhoseDecisionIsLostIsVoidOnceAllItsMembersHaveCome() {
        assertThat(of(Map.of(1, inDoubt(FOUR, NEXT), 2, inDoubt(FOUR, NEXT), 3, follower(FOUR)))
                        .base())
                .isEqualTo(FOUR);
        assertThat(of(Map.of(1, inDoubt(FOUR, NEXT), 2, inDoubt(FOUR, NEXT).withText("0:0/-1:\n")))
                        .base()
                        .iteration())
                .isEqualTo(NEXT.iteration());
        assertThat(of(Map.of(0, inDoubt(FOUR, NEXT), 1, inDoubt(FOUR, NEXT), 3, follower(FOUR)))
                        .base())
                .isEqualTo(NEXT);
    }

    /** Some have gone on from the world before; others still remember what was void. */
    @Test
    void worldOfALaterStoreComesBeforeOneThatIsAsOld() {
        KnownWorld later = new KnownWorld(new Term(1, 3), 5, IndexSet.of(0, 3), "");
        assertThat(of(Map.of(
                                1,
                                inDoubt(FOUR, NEXT),
                                2,
                                inDoubt(FOUR, NEXT),
                                3,
                                inDoubt(FOUR, later).agree()))
                        .base())
                .isEqualTo(later);
    }

    @Test
    void worldsOfTheSameIterationFromTwoStoresAreTwo() {
        KnownWorld other = new KnownWorld(new Term(1, 3), 5, IndexSet.of(0, 3), "");
        Foundation foundation = of(Map.of(
                1, inDoubt(FOUR, NEXT),
                3, inDoubt(FOUR, other)));

        assertThat(foundation.base()).isEqualTo(FOUR);
        assertThat(foundation.counted().isEmpty()).isTrue();
    }

    @Test
    void whoHasCededDoesNotCount() {
        Foundation foundation = of(Map.of(
                0, follower(THREE).cede(),
                1, follower(THREE)));

        assertThat(foundation.isEnough()).isFalse();
    }

    @Test
    void completionThatACountedVoteHasAcceptedStands() {
        assertThat(of(Map.of(1, follower(THREE).complete(), 2, follower(THREE))).isComplete())
                .isTrue();
        assertThat(of(Map.of(1, follower(THREE), 2, follower(THREE))).isComplete())
                .isFalse();
        assertThat(of(Map.of(
                                1, follower(THREE).complete(),
                                2, inDoubt(THREE, NEXT).agree()))
                        .isComplete())
                .isFalse();
    }

    @Test
    void takesTheDecisionFromWhoeverKnowsIt() {
        Foundation foundation = of(Map.of(
                1, follower(THREE),
                2, follower(THREE).withText("0:0/-1:\n")));

        assertThat(foundation.base().text()).isEqualTo("0:0/-1:\n");
    }

    @Test
    void needsAVote() {
        assertThatIllegalArgumentException().isThrownBy(() -> of(Map.of()));
    }
}
