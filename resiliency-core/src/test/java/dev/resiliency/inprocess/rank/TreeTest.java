package dev.resiliency.inprocess.rank;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.store.IndexSet;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Corner cases that the vectors and figures do not cover. */
class TreeTest {

    @Test
    void ranksAreNumberedGroupByGroup() throws Exception {
        Tree tree = new Tree(Layer.root(), Layer.by(initialRank -> initialRank % 2 == 0 ? "even" : "odd"));

        assertThat(WorldPicture.rows(tree.assign(Worlds.initial(tree, 5)))).isEqualTo("""
            initial rank | 0 | 2 | 4 | 1 | 3 |
            active rank  | 0 | 1 | 2 | 3 | 4 |\
            """);
    }

    @Test
    void rankThatDiedBeforeItPublishedItsKeysIsLeftOut() {
        Tree tree = new Tree(Layer.root(), Layer.by(GroupKey.hostName()).minRanks(2));
        World before = World.initial(List.of(List.of("root", "a"), List.of(), List.of("root", "a")))
                .lose(IndexSet.of(1));

        World after = tree.assign(before);

        assertThat(WorldPicture.rows(after)).isEqualTo("""
            initial rank | 0 | 2 |
            active rank  | 0 | 1 |\
            """);
        assertThat(after.leaving()).extracting(Placement::initialRank).containsExactly(1);
    }

    @Test
    void sameNameInTwoGroupsMeansTwoGroups() throws Exception {
        Tree tree = new Tree(
                Layer.root(),
                Layer.by(GroupKey.initialRankDividedBy(2)),
                Layer.by(GroupKey.of("gpu")).minRanks(2));

        World after = tree.assign(Worlds.loseRanks(tree.assign(Worlds.initial(tree, 4)), 0));

        assertThat(after.members()).isEqualTo(IndexSet.of(2, 3));
    }

    @Test
    void reserveThatDiesIsNotMissed() throws Exception {
        Tree tree = new Tree(Layer.root().maxRanks(2).flags(Layer.Flag.RESERVE));
        World world = Worlds.loseRanks(tree.assign(Worlds.initial(tree, 4)), 3);

        assertThat(WorldPicture.rows(tree.assign(Worlds.loseRanks(tree.assign(world), 1))))
                .isEqualTo("""
                    initial rank | 0 | 2 |
                    active rank  | 0 | 1 |\
                    """);
    }
}
