package dev.resiliency.state.internal;

import dev.resiliency.state.LiveState.Shard;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The parts of the state of one rank in one iteration.
 *
 * @param shard null if the state has none
 */
record Parts(
        List<Region> replicated,
        List<Region> sharded,
        @Nullable Shard shard) {

    List<Region> regions() {
        return Stream.concat(replicated.stream(), sharded.stream()).toList();
    }

    /** Returns this rank's shard; null if the state has none. */
    @Nullable
    Part shardPart() {
        return shard == null ? null : Part.shard(shard.index(), shard.count(), sharded);
    }

    /** Returns the replicated part and, if there is one, the shard. */
    List<LivePart> live() {
        LivePart all = new LivePart(Part.replicated(replicated), replicated);
        Part own = shardPart();
        return own == null ? List.of(all) : List.of(all, new LivePart(own, sharded));
    }

    Layout layout() {
        return Layout.of(replicated).withShards(sharded, shard == null ? 0 : shard.count());
    }
}
