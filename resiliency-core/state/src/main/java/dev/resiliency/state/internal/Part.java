package dev.resiliency.state.internal;

import static java.util.stream.Collectors.joining;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;

/**
 * A part of a state: the replicated buffers, or a shard. Two ranks hold the same part if all of this is equal.
 *
 * @param name {@code replicated}, or such as {@code shard-2/4}
 * @param sizes the bytes of each buffer, in the order of their names
 */
record Part(String name, List<Long> sizes) {
    private static final String REPLICATED = "replicated";

    static Part replicated(Collection<? extends Region> regions) {
        return new Part(REPLICATED, sizes(regions));
    }

    static Part shard(int index, int count, Collection<? extends Region> regions) {
        return new Part("shard-" + index + "/" + count, sizes(regions));
    }

    private static List<Long> sizes(Collection<? extends Region> regions) {
        return regions.stream().map(Region::bytes).toList();
    }

    boolean isReplicated() {
        return name.equals(REPLICATED);
    }

    String encode() {
        return name + ":" + encode(sizes);
    }

    static String encode(List<Long> sizes) {
        return sizes.stream().map(String::valueOf).collect(joining(","));
    }

    static List<Long> decodeSizes(String text) {
        return text.isEmpty()
                ? List.of()
                : Arrays.stream(text.split(",", -1)).map(Long::valueOf).toList();
    }

    static Part decode(String text) {
        int end = text.indexOf(':');
        return new Part(text.substring(0, end), decodeSizes(text.substring(end + 1)));
    }

    @Override
    public String toString() {
        return name;
    }
}
