package dev.resiliency.inprocess.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.rank.GroupKey;
import dev.resiliency.inprocess.rank.Layer;
import dev.resiliency.inprocess.rank.Tree;
import dev.resiliency.inprocess.rank.World;
import dev.resiliency.store.IndexSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class WorldCodecTest {
    private final Tree tree =
            new Tree(Layer.root().maxRanks(2), Layer.by(GroupKey.of("any"))).worldSizeFilter(size -> Math.min(size, 1));

    @Test
    void nextLeaderReadsAllThatDecides() {
        World world = tree.assign(World.initial(List.of(
                List.of("all", "rack 1:\n\"ä\" | 7"), List.of("all", ""), List.of("all", "rack 1:\n\"ä\" | 7"))));

        World read = WorldCodec.read(WorldCodec.write(world));

        IndexSet lost = IndexSet.of(0);
        assertThat(read.lose(lost)).isEqualTo(world.lose(lost));
        assertThat(tree.assign(read.lose(lost))).isEqualTo(tree.assign(world.lose(lost)));
    }

    @Test
    void eachKeyIsWrittenOnce() {
        World world = tree.assign(
                World.initial(List.of(List.of("all", "node-0"), List.of("all", "node-1"), List.of("all", "node-0"))));

        assertThat(WorldCodec.write(world)).isEqualTo("0:0/-1:0,1 2:-1/1:0,1 1:-1/0:0,2\n3:all6:node-06:node-1");
    }

    @Test
    void ranksWithoutKeys() {
        World world = World.initial(2);

        assertThat(WorldCodec.read(WorldCodec.write(world))).isEqualTo(world);
    }

    @Test
    void keysOfOneRank() {
        List<String> keys = List.of("", "3:abc", "\n");

        assertThat(WorldCodec.readAll(WorldCodec.writeAll(keys))).isEqualTo(keys);
    }
}
