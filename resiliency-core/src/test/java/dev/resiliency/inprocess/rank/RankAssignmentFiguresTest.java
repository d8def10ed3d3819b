package dev.resiliency.inprocess.rank;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The figures of {@code docs/rank-assignment.md}, which this computes and compares with the page, and a few more. */
class RankAssignmentFiguresTest {

    @Test
    void shiftRanksClosesTheGapsAndKeepsTheOrder() throws Exception {
        RankAssignment assignment =
                RankAssignment.compose(RankAssignment.activateAllRanks(), RankAssignment.shiftRanks());
        World before = lose(assignment, 8, 1, 4, 5);

        assertThat(WorldPicture.row(before))
                .satisfies(RankAssignmentFiguresTest::isInTheGuide)
                .isEqualTo("| 0 | X | 2 | 3 | X | X | 6 | 7 |");
        assertThat(WorldPicture.row(assignment.assign(before)))
                .satisfies(RankAssignmentFiguresTest::isInTheGuide)
                .isEqualTo("| 0 | 2 | 3 | 6 | 7 |");
    }

    @Test
    void fillGapsMovesOnlyTheLastOnes() throws Exception {
        RankAssignment assignment =
                RankAssignment.compose(RankAssignment.activateAllRanks(), RankAssignment.fillGaps());
        World before = lose(assignment, 8, 1, 4, 5);

        assertThat(WorldPicture.row(before))
                .satisfies(RankAssignmentFiguresTest::isInTheGuide)
                .isEqualTo("| 0 | X | 2 | 3 | X | X | 6 | 7 |");
        assertThat(WorldPicture.row(assignment.assign(before)))
                .satisfies(RankAssignmentFiguresTest::isInTheGuide)
                .isEqualTo("| 0 | 6 | 2 | 3 | 7 |");
    }

    @Test
    void filterCountGroupedByKeyMarksGroupsWhoseCountDoesNotMatch() throws Exception {
        RankAssignment filter =
                RankAssignment.filterCountGroupedByKey(GroupKey.initialRankDividedBy(2), count -> count == 2);
        World before = lose(filter, 8, 1, 4, 5);

        assertThat(WorldPicture.row(before))
                .satisfies(RankAssignmentFiguresTest::isInTheGuide)
                .isEqualTo("| 0 | X | 2 | 3 | X | X | 6 | 7 |");
        assertThat(WorldPicture.row(filter.assign(before)))
                .satisfies(RankAssignmentFiguresTest::isInTheGuide)
                .isEqualTo("| X | X | 2 | 3 | X | X | 6 | 7 |");
        assertThat(WorldPicture.row(RankAssignment.compose(RankAssignment.shiftRanks(), filter)
                        .assign(before)))
                .satisfies(RankAssignmentFiguresTest::isInTheGuide)
                .isEqualTo("| 2 | 3 | 6 | 7 |");
    }

    @Test
    void ranksBeyondTheMaximumAreReservesAndMoveUp() throws Exception {
        RankAssignment assignment =
                RankAssignment.compose(RankAssignment.maxActiveWorldSize(4), RankAssignment.shiftRanks());
        World first = assignment.assign(Worlds.initial(assignment, 6));
        World second = assignment.assign(Worlds.loseRanks(first, 1));

        assertThat(WorldPicture.rows(first))
                .satisfies(RankAssignmentFiguresTest::isInTheGuide)
                .isEqualTo("""
                    initial rank | 0 | 1 | 2 | 3 | 4 | 5 |
                    active rank  | 0 | 1 | 2 | 3 | - | - |\
                    """);
        assertThat(WorldPicture.rows(second))
                .satisfies(RankAssignmentFiguresTest::isInTheGuide)
                .isEqualTo("""
                    initial rank | 0 | 2 | 3 | 4 | 5 |
                    active rank  | 0 | 1 | 2 | 3 | - |\
                    """);
    }

    @Test
    void rankThatADivisorLeavesIdleComesBack() throws Exception {
        RankAssignment assignment =
                RankAssignment.compose(RankAssignment.activeWorldSizeDivisibleBy(2), RankAssignment.fillGaps());
        World first = assignment.assign(Worlds.initial(assignment, 5));
        World second = assignment.assign(Worlds.loseRanks(first, 1));

        assertThat(WorldPicture.rows(first))
                .satisfies(RankAssignmentFiguresTest::isInTheGuide)
                .isEqualTo("""
                    initial rank | 0 | 1 | 2 | 3 | 4 |
                    active rank  | 0 | 1 | 2 | 3 | - |\
                    """);
        assertThat(WorldPicture.rows(second))
                .satisfies(RankAssignmentFiguresTest::isInTheGuide)
                .isEqualTo("""
                    initial rank | 0 | 4 | 2 | 3 |
                    active rank  | 0 | 1 | 2 | 3 |\
                    """);
    }

    @Test
    void reserveStepsInFromTheSameHostFirstAndThenFromAnother() throws Exception {
        Tree tree = new Tree(
                Layer.root().flags(Layer.Flag.RESERVE),
                Layer.by(GroupKey.initialRankDividedBy(3)).maxRanks(2).flags(Layer.Flag.RESERVE));
        World first = tree.assign(Worlds.initial(tree, 6));
        World second = tree.assign(Worlds.loseRanks(first, 0));
        World third = tree.assign(Worlds.loseRanks(second, 0));

        assertThat(WorldPicture.rows(first)).isEqualTo("""
                    initial rank | 0 | 1 | 2 | 3 | 4 | 5 |
                    active rank  | 0 | 1 | - | 2 | 3 | - |\
                    """);
        assertThat(WorldPicture.rows(second)).isEqualTo("""
                    initial rank | 1 | 2 | 3 | 4 | 5 |
                    active rank  | 1 | 0 | 2 | 3 | - |\
                    """);
        assertThat(WorldPicture.rows(third)).isEqualTo("""
                    initial rank | 2 | 3 | 4 | 5 |
                    active rank  | 0 | 2 | 3 | 1 |\
                    """);
    }

    @Test
    void backfillMovesTheLastRankOfTheHostAndShiftClosesTheRest() throws Exception {
        Layer hosts = Layer.by(GroupKey.initialRankDividedBy(4));
        Tree backfill = new Tree(Layer.root(), hosts.flags(Layer.Flag.BACKFILL));
        Tree shift = new Tree(Layer.root(), hosts);

        assertThat(WorldPicture.rows(loseOne(backfill))).isEqualTo("""
                    initial rank | 0 | 2 | 3 | 4 | 5 | 6 | 7 |
                    active rank  | 0 | 2 | 1 | 3 | 4 | 5 | 6 |\
                    """);
        assertThat(WorldPicture.rows(loseOne(shift))).isEqualTo("""
                    initial rank | 0 | 2 | 3 | 4 | 5 | 6 | 7 |
                    active rank  | 0 | 1 | 2 | 3 | 4 | 5 | 6 |\
                    """);
    }

    @Test
    void joinersComeLastIfRanksShift() throws Exception {
        RankAssignment assignment =
                RankAssignment.compose(RankAssignment.activateAllRanks(), RankAssignment.shiftRanks());
        World before = join(assignment, Worlds.loseRanks(first(assignment, 8), 1, 4, 5), 8, 9);

        assertThat(WorldPicture.row(before) + "   →   " + WorldPicture.row(assignment.assign(before)))
                .satisfies(RankAssignmentFiguresTest::isInTheGuide)
                .isEqualTo("| 0 | X | 2 | 3 | X | X | 6 | 7 | 8 | 9 |   →   | 0 | 2 | 3 | 6 | 7 | 8 | 9 |");
    }

    @Test
    void joinersFillTheGaps() throws Exception {
        RankAssignment assignment =
                RankAssignment.compose(RankAssignment.activateAllRanks(), RankAssignment.fillGaps());
        World before = join(assignment, Worlds.loseRanks(first(assignment, 8), 1, 4, 5), 8, 9, 10);

        assertThat(WorldPicture.row(before) + "   →   " + WorldPicture.row(assignment.assign(before)))
                .satisfies(RankAssignmentFiguresTest::isInTheGuide)
                .isEqualTo(
                        "| 0 | X | 2 | 3 | X | X | 6 | 7 | 8 | 9 | 10 |" + "   →   | 0 | 8 | 2 | 3 | 9 | 10 | 6 | 7 |");
    }

    @Test
    void joinerMakesTheWorldDivisibleAgain() throws Exception {
        RankAssignment assignment =
                RankAssignment.compose(RankAssignment.activeWorldSizeDivisibleBy(2), RankAssignment.fillGaps());

        assertStep(assignment, join(assignment, first(assignment, 5), 5), """
            initial rank | 0 | 1 | 2 | 3 | 4 | 5 |
            active rank  | 0 | 1 | 2 | 3 | - | ? |\
            """, """
            initial rank | 0 | 1 | 2 | 3 | 4 | 5 |
            active rank  | 0 | 1 | 2 | 3 | 4 | 5 |\
            """);
    }

    @Test
    void filterTakesAsManyJoinersAsItsConditionAccepts() throws Exception {
        RankAssignment filter =
                RankAssignment.filterCountGroupedByKey(GroupKey.initialRankDividedBy(2), count -> count == 2);
        RankAssignment assignment = RankAssignment.compose(RankAssignment.shiftRanks(), filter);
        World before = Worlds.loseRanks(first(assignment, 4), 3);
        before = Worlds.join(before, assignment, 4, 3);
        before = Worlds.join(before, assignment, 5, 3);
        before = Worlds.join(before, assignment, 6, 4);

        assertThat(WorldPicture.row(before) + "   →   " + WorldPicture.row(filter.assign(before)) + "   →   "
                        + WorldPicture.row(assignment.assign(before)))
                .satisfies(RankAssignmentFiguresTest::isInTheGuide)
                .isEqualTo("| 0 | 1 | 2 | X | 4 | 5 | 6 |   →   | 0 | 1 | 2 | X | 4 | X | X |   →   | 0 | 1 | 2 | 4 |");
    }

    @Test
    void joinersReplaceLostRanksAfterTheReservesOfTheirHost() throws Exception {
        Tree tree = new Tree(
                Layer.root().flags(Layer.Flag.RESERVE),
                Layer.by(GroupKey.initialRankDividedBy(3)).maxRanks(2).flags(Layer.Flag.RESERVE));
        World losesTwo = Worlds.loseRanks(first(tree, 6), 0, 4);
        losesTwo = Worlds.join(Worlds.join(losesTwo, tree, 6, 0), tree, 7, 4);

        World second = assertStep(tree, losesTwo, """
            initial rank | X | 1 | 2 | 3 | X | 5 | 6 | 7 |
            active rank  | 0 | 1 | - | 2 | 3 | - | ? | ? |\
            """, """
            initial rank | 1 | 2 | 6 | 3 | 5 | 7 |
            active rank  | 1 | 0 | - | 2 | 3 | - |\
            """);
        World losesAHost = Worlds.loseRanks(second, 0, 1, 2);
        for (int joiner = 8; joiner <= 10; joiner++) {
            losesAHost = Worlds.join(losesAHost, tree, joiner, joiner + 10);
        }
        assertStep(tree, losesAHost, """
            initial rank | X | X | X | 3 | 5 | 7 | 8 | 9 | 10 |
            active rank  | 1 | 0 | - | 2 | 3 | - | ? | ? | ? |\
            """, """
            initial rank | 3 | 5 | 7 | 8 | 9 | 10 |
            active rank  | 2 | 3 | 1 | 0 | 4 | - |\
            """);
    }

    @Test
    void hostJoinsWhenItIsComplete() throws Exception {
        Tree tree = new Tree(
                Layer.root(), Layer.by(GroupKey.initialRankDividedBy(2)).minRanks(2));

        assertAssigns(tree, join(tree, first(tree, 4), 4), """
            initial rank | 0 | 1 | 2 | 3 | 4 |
            active rank  | 0 | 1 | 2 | 3 | ? |\
            """, """
            initial rank | 0 | 1 | 2 | 3 |
            active rank  | 0 | 1 | 2 | 3 |\
            """);
        assertAssigns(tree, join(tree, first(tree, 4), 4, 5), """
            initial rank | 0 | 1 | 2 | 3 | 4 | 5 |
            active rank  | 0 | 1 | 2 | 3 | ? | ? |\
            """, """
            initial rank | 0 | 1 | 2 | 3 | 4 | 5 |
            active rank  | 0 | 1 | 2 | 3 | 4 | 5 |\
            """);
    }

    @Test
    void spareStepsIn() throws Exception {
        String before = """
            initial rank | 0 | X | 2 | 3 | 4 |
            active rank  | 0 | 1 | 2 | 3 | - |\
            """;

        assertSpare(
                RankAssignment.compose(RankAssignment.activateAllRanks(), RankAssignment.shiftRanks()), before, """
                initial rank | 0 | 2 | 3 | 4 |
                active rank  | 0 | 1 | 2 | 3 |\
                """);
        assertSpare(RankAssignment.compose(RankAssignment.activateAllRanks(), RankAssignment.fillGaps()), before, """
                initial rank | 0 | 4 | 2 | 3 |
                active rank  | 0 | 1 | 2 | 3 |\
                """);
        assertSpare(new Tree(Layer.root().flags(Layer.Flag.RESERVE)), before, """
                initial rank | 0 | 2 | 3 | 4 |
                active rank  | 0 | 2 | 3 | 1 |\
                """);
    }

    private static void assertSpare(RankAssignment assignment, String before, String after) throws Exception {
        RankAssignment limited = assignment.limitedTo(4);
        World world = limited.assign(join(assignment, limited.assign(Worlds.initial(assignment, 4)), 4));
        assertAssigns(limited, Worlds.loseRanks(world, 1), before, after);
    }

    private static World assertStep(RankAssignment assignment, World before, String picture, String next)
            throws Exception {
        isInTheGuide(picture);
        isInTheGuide(next);
        return assertAssigns(assignment, before, picture, next);
    }

    private static World assertAssigns(RankAssignment assignment, World before, String picture, String next)
            throws Exception {
        World after = assignment.assign(before);
        assertThat(WorldPicture.transition(before)).isEqualTo(picture);
        assertThat(WorldPicture.rows(after)).isEqualTo(next);
        return after;
    }

    /** The figures have spaces between the columns, and no lines. */
    private static void isInTheGuide(String picture) throws IOException {
        String guide = columns(Files.readString(Path.of("..", "docs", "rank-assignment.md")));
        assertThat(picture.lines()).allSatisfy(line -> assertThat(guide).contains(columns(line)));
    }

    private static String columns(String text) {
        return text.replaceAll("[ |]+", " ").strip();
    }

    private static World first(RankAssignment assignment, int worldSize) throws Exception {
        return assignment.assign(Worlds.initial(assignment, worldSize));
    }

    private static World join(RankAssignment assignment, World world, int... numbers) throws Exception {
        World joined = world;
        for (int number : numbers) {
            joined = Worlds.join(joined, assignment, number, number);
        }
        return joined;
    }

    private static World loseOne(Tree tree) throws Exception {
        return tree.assign(Worlds.loseRanks(tree.assign(Worlds.initial(tree, 8)), 1));
    }

    private static World lose(RankAssignment assignment, int worldSize, int... ranks) throws Exception {
        return Worlds.loseRanks(Worlds.initial(assignment, worldSize), ranks);
    }
}
