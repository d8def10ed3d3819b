package dev.resiliency.state.internal;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What a rank with a shard says of it when a recovery begins.
 *
 * @param host what it shares with those that are lost together with it
 * @param isOwn whether its buffers, if they are whole, hold the shard that it has in this iteration
 * @param own that shard
 * @param copies the copies that it keeps
 */
record ShardHolding(String host, boolean isOwn, Part own, Set<Copied> copies) {
    private static final int FIELDS = 3;

    /** Returns lines of text. */
    String encode() {
        List<String> lines = new ArrayList<>(List.of(host, Boolean.toString(isOwn), own.encode()));
        copies.forEach(copy -> lines.add(copy.encode()));
        return String.join("\n", lines);
    }

    static ShardHolding decode(List<String> lines) {
        Set<Copied> copies = new HashSet<>();
        lines.stream().skip(FIELDS).map(Copied::decode).forEach(copies::add);
        return new ShardHolding(
                lines.get(0), Boolean.parseBoolean(lines.get(1)), Part.decode(lines.get(2)), Set.copyOf(copies));
    }
}
