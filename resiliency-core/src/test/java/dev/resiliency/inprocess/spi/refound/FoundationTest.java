package dev.resiliency.inprocess.spi.refound;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.resiliency.store.IndexSet;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FoundationTest {
    private static final KnownWorld THREE = new KnownWorld(Term.FIRST, 4, IndexSet.range(0, 3), "");
    private static final KnownWorld FOUR = new KnownWorld(Term.FIRST, 4, IndexSet.range(0, 4), "");
    /** What follows both, without rank 0. */
    private static final KnownWorld NEXT = new KnownWorld(Term.FIRST, 5, IndexSet.of(1, 2), "");

    private static Vote follower(KnownWorld world) {
        return Vote.first(world);
    }

    private static Vote inDoubt(KnownWorld agreed, KnownWorld accepted) {
        return Vote.first(agreed).accept(accepted);
    }

    @Test
    void moreThanHalfOfTheVotersAreEnough() {
        Foundation two = Foundation.of(Map.of(1, follower(THREE), 2, follower(THREE)));
        Foundation half = Foundation.of(Map.of(1, follower(FOUR), 2, follower(FOUR)));

        assertThat(two.base()).isEqualTo(THREE);
        assertThat(two.isEnough()).isTrue();
        assertThat(two.missing()).isEqualTo(IndexSet.of(0));
        assertThat(half.isEnough()).isFalse();
        assertThat(half.missing()).isEqualTo(IndexSet.of(0, 3));
    }

    @Test
    void whoIsNoMemberHasNoVote() {
        Foundation foundation = Foundation.of(Map.of(1, follower(THREE), 7, follower(THREE)));

        assertThat(foundation.counted()).isEqualTo(IndexSet.of(1));
        assertThat(foundation.isEnough()).isFalse();
    }

    @Test
    void baseIsTheLastWorldThatAnyVoteKnowsToBeAgreed() {
        Foundation foundation = Foundation.of(Map.of(
                1, inDoubt(THREE, NEXT).agree(),
                2, follower(THREE)));

        assertThat(foundation.base()).isEqualTo(NEXT);
        assertThat(foundation.counted()).isEqualTo(IndexSet.of(1, 2));
    }

    @Test
    void baseIsAWorldThatHalfOfTheVotersBeforeHaveAccepted() {
        Foundation foundation = Foundation.of(Map.of(
                1, inDoubt(FOUR, NEXT),
                2, inDoubt(FOUR, NEXT)));

        assertThat(foundation.base()).isEqualTo(NEXT);
        assertThat(foundation.isEnough()).isTrue();
    }

    @Test
    void whoHasAcceptedAWorldInDoubtDoesNotCountForTheOneBefore() {
        Foundation foundation = Foundation.of(Map.of(
                1, inDoubt(FOUR, NEXT),
                2, follower(FOUR),
                3, follower(FOUR)));

        assertThat(foundation.base()).isEqualTo(FOUR);
        assertThat(foundation.counted()).isEqualTo(IndexSet.of(2, 3));
        assertThat(foundation.isEnough()).isFalse();
    }

    @Test
    void worldsOfTheSameIterationFromTwoStoresAreTwo() {
        KnownWorld other = new KnownWorld(new Term(1, 3), 5, IndexSet.of(1, 3), "");
        Foundation foundation = Foundation.of(Map.of(
                1, inDoubt(FOUR, NEXT),
                3, inDoubt(FOUR, other)));

        assertThat(foundation.base()).isEqualTo(FOUR);
        assertThat(foundation.counted().isEmpty()).isTrue();
    }

    @Test
    void whoHasCededDoesNotCount() {
        Foundation foundation = Foundation.of(Map.of(
                0, follower(THREE).cede(),
                1, follower(THREE)));

        assertThat(foundation.isEnough()).isFalse();
    }

    @Test
    void completionThatACountedVoteHasAcceptedStands() {
        assertThat(Foundation.of(Map.of(1, follower(THREE).complete(), 2, follower(THREE)))
                        .isComplete())
                .isTrue();
        assertThat(Foundation.of(Map.of(1, follower(THREE), 2, follower(THREE))).isComplete())
                .isFalse();
        assertThat(Foundation.of(Map.of(
                                1, follower(THREE).complete(),
                                2, inDoubt(THREE, NEXT).agree()))
                        .isComplete())
                .isFalse();
    }

    @Test
    void takesTheDecisionFromWhoeverKnowsIt() {
        Foundation foundation = Foundation.of(Map.of(
                1, follower(THREE),
                2, follower(THREE).withText("0:0/-1:\n")));

        assertThat(foundation.base().text()).isEqualTo("0:0/-1:\n");
    }

    @Test
    void needsAVote() {
        assertThatIllegalArgumentException().isThrownBy(() -> Foundation.of(Map.of()));
    }
}
