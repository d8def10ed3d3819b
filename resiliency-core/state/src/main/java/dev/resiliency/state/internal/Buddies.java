package dev.resiliency.state.internal;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Decides which rank keeps the copy of which shard: one on another host, if there is one.
 *
 * <p>The ranks stand in a row, host by host, and each gives its copy to the one that is as many places further as the
 * largest host has ranks. So no two of a host meet, and each rank keeps one copy:
 *
 * <pre>
 * host       a  a  b  b  c
 * rank       0  1  2  3  4
 * buddy      2  3  4  0  1
 * </pre>
 *
 * <p>If one host has more ranks than all others together, its ranks share theirs.
 */
final class Buddies {
    private Buddies() {}

    /**
     * Returns the buddy of each rank.
     *
     * @param hosts that of each rank; at least two
     */
    static int[] of(List<String> hosts) {
        Map<String, List<Integer>> byHost = new TreeMap<>();
        for (int rank = 0; rank < hosts.size(); rank++) {
            byHost.computeIfAbsent(hosts.get(rank), absent -> new ArrayList<>()).add(rank);
        }
        List<List<Integer>> groups = byHost.values().stream()
                .sorted(Comparator.comparingInt((List<Integer> group) -> group.size())
                        .reversed())
                .toList();
        List<Integer> row = groups.stream().flatMap(List::stream).toList();
        int largest = groups.get(0).size();
        if (groups.size() > 1 && 2 * largest > row.size()) {
            return shared(row, largest);
        }
        int distance = groups.size() == 1 ? 1 : largest;
        int[] buddies = new int[row.size()];
        IntStream.range(0, row.size()).forEach(i -> buddies[row.get(i)] = row.get((i + distance) % row.size()));
        return buddies;
    }

    /** @param largest so many ranks at the beginning of the row are on one host, more than all others */
    private static int[] shared(List<Integer> row, int largest) {
        int others = row.size() - largest;
        int[] buddies = new int[row.size()];
        for (int i = 0; i < row.size(); i++) {
            buddies[row.get(i)] = row.get(i < largest ? largest + i % others : i - largest);
        }
        return buddies;
    }
}
