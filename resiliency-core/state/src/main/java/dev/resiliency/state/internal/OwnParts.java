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
record OwnParts(
        List<Region> replicated,
        List<Region> sharded,
        @Nullable Shard shard) {

    /** Throws if this cannot be recovered. */
    void check() {
        if (shard != null && !values().isEmpty()) {
            throw new IllegalStateException("a state with shards cannot have values of any length, such as '"
                    + values().get(0).name() + "'");
        }
    }

    private List<ValueRegion> values() {
        return replicated.stream()
                .filter(ValueRegion.class::isInstance)
                .map(ValueRegion.class::cast)
                .toList();
    }

    /** Returns the bytes of each value, in the order of their names. */
    List<Long> valueSizes() {
        return values().stream().map(Region::bytes).toList();
    }

    /** Makes room for values that are to be received. */
    void allocateValues(List<Long> sizes) {
        List<ValueRegion> values = values();
        for (int i = 0; i < values.size(); i++) {
            values.get(i).allocate(sizes.get(i));
        }
    }

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
