package dev.resiliency.inprocess.rank;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.inprocess.Wrapper;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Invalid assignments, which are rejected when they are built, and the messages. */
class RankAssignmentRefusalsTest {
    private static final RankAssignment FILTER =
            RankAssignment.filterCountGroupedByKey(GroupKey.hostName(), count -> count == 8);

    @Test
    void treeCannotBeComposed() {
        assertRefused("Tree cannot be composed", RankAssignment.maxActiveWorldSize(4), new Tree(Layer.root()));
        assertRefused("Tree cannot be composed", new Tree(Layer.root()), new Tree(Layer.root()));
    }

    @Test
    void treeAloneNeedsNoComposition() {
        Tree tree = new Tree(Layer.root());

        assertThat(RankAssignment.compose(tree)).isSameAs(tree);
    }

    @Test
    void activateAllRanksCannotBeComposedWithAnotherActivation() {
        assertRefused(
                "cannot be composed with maxActiveWorldSize",
                RankAssignment.maxActiveWorldSize(4),
                RankAssignment.activateAllRanks(),
                RankAssignment.shiftRanks());
        assertRefused(
                "cannot be composed with activeWorldSizeDivisibleBy",
                RankAssignment.activateAllRanks(),
                RankAssignment.activeWorldSizeDivisibleBy(2),
                RankAssignment.shiftRanks());
        assertRefused(
                "cannot be composed with activateAllRanks",
                RankAssignment.activateAllRanks(),
                RankAssignment.activateAllRanks(),
                RankAssignment.shiftRanks());
    }

    @Test
    void filterNeedsSomethingThatDropsWhatItMarks() {
        assertRefused("list shiftRanks or fillGaps before it", FILTER);
        assertRefused("list shiftRanks or fillGaps before it", FILTER, RankAssignment.shiftRanks());
        assertRefused(
                "list shiftRanks or fillGaps before it",
                RankAssignment.activateAllRanks(),
                FILTER,
                RankAssignment.fillGaps());
    }

    @Test
    void gapsAreClosedBeforeRanksAreActivated() {
        assertRefused(
                "shiftRanks runs after activateAllRanks",
                RankAssignment.shiftRanks(),
                RankAssignment.activateAllRanks());
        assertRefused(
                "fillGaps runs after maxActiveWorldSize",
                RankAssignment.fillGaps(),
                RankAssignment.maxActiveWorldSize(4));
    }

    @Test
    void somethingMustCloseTheGaps() {
        assertRefused(
                "maxActiveWorldSize would leave lost ranks where they were", RankAssignment.maxActiveWorldSize(4));
        assertThatThrownBy(() -> Wrapper.builder().rankAssignment(RankAssignment.activateAllRanks()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("activateAllRanks would leave lost ranks where they were");
    }

    @Test
    void customAssignmentMayCloseTheGaps() {
        RankAssignment own = world -> world.with(
                world.placements().stream().filter(Placement::healthy).toList());

        assertThat(RankAssignment.compose(RankAssignment.activateAllRanks(), own, FILTER)
                        .keys())
                .hasSize(1);
    }

    @Test
    void compositionsAreCheckedTogetherWhenTheyAreComposed() {
        RankAssignment inner = RankAssignment.compose(RankAssignment.activateAllRanks(), RankAssignment.shiftRanks());

        assertRefused("cannot be composed with maxActiveWorldSize", RankAssignment.maxActiveWorldSize(4), inner);
        assertThat(RankAssignment.compose(inner, FILTER))
                .hasToString("compose(activateAllRanks, shiftRanks, filterCountGroupedByKey)");
    }

    @Test
    void invalidNumbersAreRejected() {
        Stream.<Runnable>of(
                        () -> RankAssignment.maxActiveWorldSize(0),
                        () -> RankAssignment.activeWorldSizeDivisibleBy(0),
                        () -> GroupKey.initialRankDividedBy(0),
                        () -> Layer.root().minRanks(-1),
                        () -> Layer.root().maxRanks(0),
                        Tree::new)
                .forEach(refused -> assertThatThrownBy(refused::run).isInstanceOf(IllegalArgumentException.class));
    }

    @Test
    void worldSizeFilterMayNotIncreaseTheNumber() {
        Tree tree = new Tree(Layer.root()).worldSizeFilter(size -> size + 1);

        assertThatThrownBy(() -> tree.assign(World.initial(List.of(List.of("root")))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("the world size filter wants 2 active ranks where 1 are: it can only make them fewer");
    }

    @Test
    void treeWithSeveralRootsIsRejected() {
        Tree tree = new Tree(Layer.by(GroupKey.hostName()));

        assertThatThrownBy(() -> tree.assign(World.initial(List.of(List.of("a"), List.of("b")))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("it is a on the first one and b on rank 1");
    }

    private static void assertRefused(String why, RankAssignment... listed) {
        assertThatThrownBy(() -> RankAssignment.compose(listed))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }
}
