package dev.resiliency.state.internal;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a rank holds in memory when a recovery begins.
 *
 * @param rank its initial rank, for messages
 * @param isWhole whether its buffers hold exactly the state of {@code version}
 * @param version what it had completely the last time
 * @param layout the fingerprint of its layout
 * @param values the bytes of each value of any length in its buffers
 * @param peer where it serves its state; null if it cannot
 * @param shards its shard and its copies; null if the state has no shards
 */
record Holding(
        int rank,
        boolean isWhole,
        Version version,
        String layout,
        List<Long> values,
        @Nullable Peer peer,
        @Nullable ShardHolding shards) {
    private static final int FIELDS = 6;

    String encode() {
        return rank + " " + isWhole + " " + version.encode() + " " + layout + " " + Part.encode(values) + " "
                + (peer == null ? "" : peer.encode())
                + (shards == null ? "" : "\n" + shards.encode());
    }

    static Holding decode(String text) {
        List<String> lines = text.lines().toList();
        String[] fields = lines.get(0).split(" ", FIELDS);
        return new Holding(
                Integer.parseInt(fields[0]),
                Boolean.parseBoolean(fields[1]),
                Version.decode(fields[2]),
                fields[3],
                Part.decodeSizes(fields[4]),
                fields[5].isEmpty() ? null : Peer.decode(fields[5]),
                lines.size() == 1 ? null : ShardHolding.decode(lines.subList(1, lines.size())));
    }

    /** Returns what is left if the contents of its buffers do not count. */
    Holding withoutBuffers() {
        return new Holding(rank, false, version, layout, values, peer, shards);
    }

    /** Returns this rank as one that cannot send. */
    Holding withoutPeer() {
        return new Holding(rank, isWhole, version, layout, values, null, shards);
    }

    /** Returns whether all of its buffers hold this state. */
    boolean isAt(Version other) {
        return isWhole && version.equals(other) && (shards == null || shards.isOwn());
    }

    /** Returns whether it has the replicated part of this state, in its buffers or as a copy. */
    boolean holdsReplicated(Version other) {
        return (isWhole && version.equals(other))
                || (shards != null
                        && shards.copies().stream()
                                .anyMatch(copy -> copy.part().isReplicated()
                                        && copy.version().equals(other)));
    }

    /** Returns whether it has a shard of this state, in its buffers or as a copy. */
    boolean holdsShard(Part shard, Version other) {
        return shards != null
                && ((isAt(other) && shards.own().equals(shard))
                        || shards.copies().contains(new Copied(shard, other)));
    }
}
