package dev.resiliency.inprocess.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.rank.GroupKey;
import dev.resiliency.inprocess.rank.Layer;
import dev.resiliency.inprocess.rank.RankAssignment;
import dev.resiliency.inprocess.rank.Tree;
import dev.resiliency.inprocess.rank.World;
import dev.resiliency.inprocess.rank.Worlds;
import dev.resiliency.store.IndexSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The log of an assignment for operators: each rank whose role changed, and why. */
class RoleChangeTest {

    @Test
    void spareNamesTheRankForWhichItStepsIn() throws Exception {
        Tree tree = new Tree(Layer.root().maxRanks(2).flags(Layer.Flag.RESERVE));

        assertThat(afterLosing(tree, 3, 0)).containsExactly("2: reserve -> active rank 0: steps in for rank 0");
    }

    @Test
    void backfillNamesTheRankWhosePlaceItFills() throws Exception {
        Tree tree = new Tree(Layer.root().flags(Layer.Flag.BACKFILL));

        assertThat(afterLosing(tree, 4, 1))
                .containsExactly("3: active rank 3 -> active rank 1: fills the place of rank 1");
    }

    @Test
    void groupThatFellUnderItsMinimumIsNamed() throws Exception {
        Tree tree = new Tree(
                Layer.root(), Layer.by(initialRank -> "node-" + initialRank / 2).minRanks(2));

        assertThat(afterLosing(tree, 4, 1))
                .containsExactly(
                        "0: active rank 0 -> discarded: group node-0 has 1 healthy of the 2 ranks that it needs",
                        "2: active rank 2 -> active rank 0: ranks before it are gone",
                        "3: active rank 3 -> active rank 1: ranks before it are gone");
    }

    @Test
    void worldSizeFilterIsNamed() throws Exception {
        Tree tree = new Tree(Layer.root()).worldSizeFilter(size -> size / 2 * 2);

        assertThat(afterLosing(tree, 4, 3))
                .containsExactly("2: active rank 2 -> reserve: the world size filter leaves 2 of 3 active");
    }

    @Test
    void partOfACompositionThatDropsOrDeactivatesIsNamed() throws Exception {
        RankAssignment assignment = RankAssignment.compose(
                RankAssignment.activeWorldSizeDivisibleBy(2),
                RankAssignment.fillGaps(),
                RankAssignment.filterCountGroupedByKey(GroupKey.initialRankDividedBy(3), count -> count > 1));

        assertThat(afterLosing(assignment, 9, 0, 3, 5))
                .containsExactly(
                        "4: active rank 4 -> discarded: group 1 has a count of 1,"
                                + " which the condition of filterCountGroupedByKey rejects",
                        "6: active rank 6 -> active rank 0: fills the gap at rank 0",
                        "7: active rank 7 -> active rank 3: fills the gap at rank 3");
    }

    @Test
    void rankWhoseRoleStaysIsNotMentioned() throws Exception {
        RankAssignment assignment =
                RankAssignment.compose(RankAssignment.activateAllRanks(), RankAssignment.shiftRanks());

        assertThat(afterLosing(assignment, 3, 2)).isEmpty();
    }

    @Test
    void allLeaveIfNoRankWouldBeActive() throws Exception {
        RankAssignment assignment =
                RankAssignment.compose(RankAssignment.activeWorldSizeDivisibleBy(2), RankAssignment.shiftRanks());

        assertThat(afterLosing(assignment, 2, 1))
                .containsExactly("0: active rank 0 -> discarded: no rank would be active:"
                        + " activeWorldSizeDivisibleBy(2) leaves 0 of 1 active");
    }

    @Test
    void joinerNamesTheRankWhosePlaceItTakes() throws Exception {
        for (RankAssignment assignment : List.of(
                RankAssignment.compose(RankAssignment.activateAllRanks(), RankAssignment.fillGaps()),
                new Tree(Layer.root().flags(Layer.Flag.RESERVE)),
                new Tree(Layer.root().flags(Layer.Flag.BACKFILL)))) {
            assertThat(afterJoining(assignment, 3, 4, 1))
                    .containsExactly("3: new -> active rank 1: joined in the place of rank 1");
        }
    }

    @Test
    void joinerThatComesLastHasJoined() throws Exception {
        for (RankAssignment assignment : List.of(
                RankAssignment.compose(RankAssignment.activateAllRanks(), RankAssignment.shiftRanks()),
                RankAssignment.compose(RankAssignment.activateAllRanks(), RankAssignment.fillGaps()),
                new Tree(Layer.root().flags(Layer.Flag.RESERVE)))) {
            assertThat(afterJoining(assignment, 3, 4)).containsExactly("3: new -> active rank 3: joined");
        }
    }

    @Test
    void joinerThatIsAReserveSaysWhy() throws Exception {
        RankAssignment shift = RankAssignment.compose(RankAssignment.activateAllRanks(), RankAssignment.shiftRanks());

        assertThat(afterJoining(shift.limitedTo(3), 3, 4))
                .containsExactly("3: new -> reserve: maxRanks(3) leaves 3 of 4 active");
        assertThat(afterJoining(new Tree(Layer.root().maxRanks(3)), 3, 4))
                .containsExactly("3: new -> reserve: a group that it is in has as many active ranks as it may");
    }

    @Test
    void joinerThatIsLeftOutSaysWhy() throws Exception {
        RankAssignment pairs = RankAssignment.compose(
                RankAssignment.activateAllRanks(),
                RankAssignment.fillGaps(),
                RankAssignment.filterCountGroupedByKey(GroupKey.initialRankDividedBy(2), count -> count == 2));

        assertThat(afterJoining(pairs, 4, 5))
                .containsExactly("4: new -> left out: group 2 has a count of 1,"
                        + " which the condition of filterCountGroupedByKey rejects");
    }

    @Test
    void reserveThatBecomesActiveAsTheWorldGrowsSaysSo() throws Exception {
        for (RankAssignment assignment : List.of(
                RankAssignment.compose(RankAssignment.activeWorldSizeDivisibleBy(2), RankAssignment.shiftRanks()),
                new Tree(Layer.root()).worldSizeFilter(size -> size / 2 * 2))) {
            assertThat(afterJoining(assignment, 3, 4))
                    .containsExactly(
                            "2: reserve -> active rank 2: the world has grown", "3: new -> active rank 3: joined");
        }
    }

    @Test
    void reserveOfAnotherGroupDoesNotMakeAShiftLookLikeGrowth() throws Exception {
        Tree tree = new Tree(Layer.root().maxRanks(3).flags(Layer.Flag.RESERVE));
        World first = tree.assign(Worlds.initial(tree, 4));
        World second = tree.assign(first.lose(IndexSet.of(0)));
        World before = second.lose(IndexSet.of(3));

        assertThat(RoleChange.between(before, tree.assign(before)))
                .extracting(each -> each.initialRank() + ": " + each)
                .containsExactly(
                        "1: active rank 1 -> active rank 0: ranks before it are gone",
                        "2: active rank 2 -> active rank 1: ranks before it are gone");
    }

    @Test
    void firstRolesAreNoChanges() throws Exception {
        Tree tree = new Tree(Layer.root().maxRanks(2));
        World before = Worlds.initial(tree, 3);

        assertThat(RoleChange.between(before, tree.assign(before))).isEmpty();
    }

    @Test
    void joinerOfTheFirstWorldSaysWhatItIs() throws Exception {
        Tree tree = new Tree(Layer.root().maxRanks(2));

        assertThat(texts(Worlds.join(Worlds.initial(tree, 2), tree, 2, 1), tree))
                .containsExactly("2: new -> reserve: a group that it is in has as many active ranks as it may");
    }

    private static List<String> afterJoining(RankAssignment assignment, int worldSize, int newWorldSize, int... lost)
            throws Exception {
        World before = assignment.assign(Worlds.initial(assignment, worldSize)).lose(IndexSet.of(lost));
        for (int joiner = worldSize; joiner < newWorldSize; joiner++) {
            before = Worlds.join(before, assignment, joiner, joiner);
        }
        return texts(before, assignment);
    }

    private static List<String> afterLosing(RankAssignment assignment, int worldSize, int... lost) throws Exception {
        World first = assignment.assign(Worlds.initial(assignment, worldSize));
        return texts(first.lose(IndexSet.of(lost)), assignment);
    }

    private static List<String> texts(World before, RankAssignment assignment) {
        return RoleChange.between(before, assignment.assign(before).checked()).stream()
                .map(change -> change.initialRank() + ": " + change)
                .toList();
    }
}
