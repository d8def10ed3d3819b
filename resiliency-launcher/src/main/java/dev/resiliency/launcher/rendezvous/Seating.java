package dev.resiliency.launcher.rendezvous;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Decides which node gets which seat. */
final class Seating {
    private Seating() {}

    /** Returns the seats of all nodes that live when a cycle begins, by their arrivals. */
    static Map<Integer, Seat> ofRound(int cycle, Terms terms, Collection<Node> living) {
        List<Node> ordered = living.stream().sorted(Node.ORDER).toList();
        Map<Integer, Seat> seats = new LinkedHashMap<>();
        for (int group = 0; group < ordered.size(); group++) {
            seats.put(ordered.get(group).arrival(), seat(cycle, terms, group));
        }
        return seats;
    }

    private static Seat seat(int cycle, Terms terms, int group) {
        return new Seat(cycle, group, terms.nodes(), terms.processes());
    }

    /**
     * Returns the seat of a node that comes when the cycle has begun: its own if it was there before, else the first that
     * nobody has, or whose node is lost.
     *
     * @param seated the nodes that have seats, with them
     * @param lost the arrivals of those that are lost
     */
    static Seat ofLateNode(int cycle, Terms terms, Node node, Map<Node, Seat> seated, Set<Integer> lost) {
        Set<Integer> taken = seated.entrySet().stream()
                .filter(entry -> !lost.contains(entry.getKey().arrival())
                        && !entry.getKey().name().equals(node.name()))
                .map(entry -> entry.getValue().group())
                .collect(Collectors.toSet());
        int group = seated.entrySet().stream()
                .filter(entry -> entry.getKey().name().equals(node.name()))
                .map(entry -> entry.getValue().group())
                .filter(own -> !taken.contains(own))
                .findFirst()
                .orElseGet(() -> IntStream.iterate(0, next -> next + 1)
                        .filter(free -> !taken.contains(free))
                        .findFirst()
                        .orElseThrow());
        return seat(cycle, terms, group);
    }
}
