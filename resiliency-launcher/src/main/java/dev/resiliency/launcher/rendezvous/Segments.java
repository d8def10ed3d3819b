package dev.resiliency.launcher.rendezvous;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Groups nodes into segments: so many nodes of one domain, which therefore have fast links to each other. Only whole segments
 * get ranks. They are chosen anew when a cycle begins, since all ranks start again anyway. The idea is nvidia-resiliency-ext's
 * {@code --ft-segment}.
 */
final class Segments {
    private Segments() {}

    /**
     * Returns all whole segments. The nodes of a domain are taken in their order, and the segments are ordered by their first
     * nodes. Nodes that are left over are in none.
     *
     * @param size how many nodes each has
     */
    static List<List<Node>> whole(int size, Collection<Node> nodes) {
        Map<String, List<Node>> domains = new LinkedHashMap<>();
        nodes.stream()
                .sorted(Node.ORDER)
                .forEach(node -> domains.computeIfAbsent(node.domain(), domain -> new ArrayList<>())
                        .add(node));
        List<List<Node>> segments = new ArrayList<>();
        for (List<Node> domain : domains.values()) {
            for (int first = 0; first + size <= domain.size(); first += size) {
                segments.add(domain.subList(first, first + size));
            }
        }
        segments.sort(Comparator.comparing(segment -> segment.get(0), Node.ORDER));
        return segments;
    }
}
