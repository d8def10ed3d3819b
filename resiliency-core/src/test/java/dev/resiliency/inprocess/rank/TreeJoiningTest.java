package dev.resiliency.inprocess.rank;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.store.IndexSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Where a {@link Tree} puts ranks that join. */
class TreeJoiningTest {
    private static final GroupKey HOST = GroupKey.initialRankDividedBy(2);

    @Test
    void joinerOfTheSameHostGoesBeforeAReserveOfAnother() throws Exception {
        Tree tree = new Tree(
                Layer.root().maxRanks(3).flags(Layer.Flag.RESERVE),
                Layer.by(HOST).flags(Layer.Flag.RESERVE));
        World first = tree.assign(Worlds.initial(tree, 4));

        assertThat(WorldPicture.rows(tree.assign(Worlds.join(Worlds.loseRanks(first, 0), tree, 4, 0))))
                .isEqualTo("""
                    initial rank | 1 | 4 | 2 | 3 |
                    active rank  | 1 | 0 | 2 | - |\
                    """);
    }

    @Test
    void reserveOfTheSameHostGoesBeforeAJoiner() throws Exception {
        Tree tree = new Tree(Layer.root().maxRanks(2).flags(Layer.Flag.RESERVE));
        World first = tree.assign(Worlds.initial(tree, 3));

        assertThat(WorldPicture.rows(tree.assign(Worlds.join(Worlds.loseRanks(first, 0), tree, 3, 0))))
                .isEqualTo("""
                    initial rank | 1 | 2 | 3 |
                    active rank  | 1 | 0 | - |\
                    """);
    }

    @Test
    void thoseWhoCameFirstStepInFirst() throws Exception {
        Tree tree = new Tree(Layer.root().maxRanks(2).flags(Layer.Flag.RESERVE));
        World before = Worlds.loseRanks(tree.assign(Worlds.initial(tree, 2)), 0);

        assertThat(WorldPicture.rows(tree.assign(Worlds.join(Worlds.join(before, tree, 2, 5), tree, 3, 0))))
                .isEqualTo("""
                    initial rank | 1 | 2 | 3 |
                    active rank  | 1 | 0 | - |\
                    """);
    }

    @Test
    void joinerInTheBackfillDomainTakesThePlaceSoThatNoSurvivorMoves() throws Exception {
        Tree tree = new Tree(Layer.root().flags(Layer.Flag.BACKFILL));
        World before = Worlds.loseRanks(tree.assign(Worlds.initial(tree, 4)), 1);

        assertThat(WorldPicture.rows(tree.assign(Worlds.join(before, tree, 4, 1))))
                .isEqualTo("""
                    initial rank | 0 | 2 | 3 | 4 |
                    active rank  | 0 | 2 | 3 | 1 |\
                    """);
    }

    @Test
    void joinerDoesNotCrossLayersWithoutTheFlag() throws Exception {
        Tree tree = new Tree(Layer.root(), Layer.by(HOST).flags(Layer.Flag.RESERVE));
        World before = Worlds.loseRanks(tree.assign(Worlds.initial(tree, 4)), 0);

        assertThat(WorldPicture.rows(tree.assign(Worlds.join(before, tree, 4, 2))))
                .isEqualTo("""
                    initial rank | 1 | 2 | 3 | 4 |
                    active rank  | 0 | 1 | 2 | 3 |\
                    """);
    }

    @Test
    void joinerCompletesAHostThatWouldBeTooSmall() throws Exception {
        Tree tree = new Tree(Layer.root(), Layer.by(HOST).minRanks(2).flags(Layer.Flag.RESERVE));
        World before = Worlds.loseRanks(tree.assign(Worlds.initial(tree, 4)), 3);

        assertThat(WorldPicture.rows(tree.assign(Worlds.join(before, tree, 4, 3))))
                .isEqualTo("""
                    initial rank | 0 | 1 | 2 | 4 |
                    active rank  | 0 | 1 | 2 | 3 |\
                    """);
    }

    @Test
    void newHostWaitsUntilItHasEnoughRanks() throws Exception {
        Tree tree = new Tree(Layer.root(), Layer.by(HOST).minRanks(2));
        World first = tree.assign(Worlds.initial(tree, 2));
        World half = Worlds.join(first, tree, 2, 2);
        World tooSmall = tree.assign(half);
        World whole = tree.assign(Worlds.join(half, tree, 3, 3));

        assertThat(tooSmall.members()).isEqualTo(first.members());
        assertThat(tooSmall.leaving())
                .singleElement()
                .extracting(Placement::reason)
                .isEqualTo("group 1 has 1 healthy of the 2 ranks that it needs");
        assertThat(WorldPicture.rows(whole)).isEqualTo("""
            initial rank | 0 | 1 | 2 | 3 |
            active rank  | 0 | 1 | 2 | 3 |\
            """);
    }

    @Test
    void reserveThatTheFilterLeftOverComesBackWhenTheWorldGrows() throws Exception {
        Tree tree = new Tree(Layer.root()).worldSizeFilter(size -> size / 2 * 2);
        World first = tree.assign(Worlds.initial(tree, 3));

        assertThat(WorldPicture.rows(first)).isEqualTo("""
            initial rank | 0 | 1 | 2 |
            active rank  | 0 | 1 | - |\
            """);
        assertThat(WorldPicture.rows(tree.assign(Worlds.join(first, tree, 3, 3))))
                .isEqualTo("""
                    initial rank | 0 | 1 | 2 | 3 |
                    active rank  | 0 | 1 | 2 | 3 |\
                    """);
    }

    @Test
    void joinersOfTwoHostsAreNumberedHostByHost() throws Exception {
        Tree tree = new Tree(Layer.root(), Layer.by(GroupKey.initialRankDividedBy(10)));
        World world = tree.assign(Worlds.initial(tree, 2));
        for (int number = 2; number < 6; number++) {
            world = Worlds.join(world, tree, number, number % 2 == 0 ? 10 : 20);
        }

        assertThat(WorldPicture.rows(tree.assign(world))).isEqualTo("""
            initial rank | 0 | 1 | 2 | 4 | 3 | 5 |
            active rank  | 0 | 1 | 2 | 3 | 4 | 5 |\
            """);
    }

    @Test
    void joinerOfTheFirstWorldReplacesAFounderThatNeverCame() throws Exception {
        Tree tree = new Tree(
                Layer.root().flags(Layer.Flag.RESERVE),
                Layer.by(HOST).maxRanks(2).flags(Layer.Flag.RESERVE));
        World before = Worlds.loseRanks(Worlds.initial(tree, 4), 1);

        assertThat(WorldPicture.rows(tree.assign(Worlds.join(Worlds.join(before, tree, 4, 1), tree, 5, 1))))
                .isEqualTo("""
                    initial rank | 0 | 4 | 5 | 2 | 3 |
                    active rank  | 0 | 1 | - | 2 | 3 |\
                    """);
    }

    @Test
    void joinerWithAnotherRootIsLeftOutAndHarmsNobody() {
        Tree tree = new Tree(Layer.by(GroupKey.environmentVariable("JOB")));
        World before =
                tree.assign(World.initial(List.of(List.of("a"), List.of("a")))).join(2, List.of("b"));

        World after = tree.assign(before);

        assertThat(after.members()).isEqualTo(IndexSet.of(0, 1));
        assertThat(after.leaving())
                .singleElement()
                .extracting(Placement::reason)
                .isEqualTo("the first layer of a Tree must have one key for all ranks,"
                        + " but it is a on the first one and b on rank 2");
    }
}
