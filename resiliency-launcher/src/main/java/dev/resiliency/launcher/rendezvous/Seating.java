package dev.resiliency.launcher.rendezvous;

import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Decides which node gets which seat. */
final class Seating {
    private Seating() {}

    /** Returns whether a cycle can begin with these nodes. */
    static boolean isEnough(Terms terms, Collection<Node> living) {
        return terms.segment() == 0
                ? living.size() >= terms.nodes()
                : Segments.whole(terms.segment(), living).size() * terms.segment() >= terms.nodes();
    }

    /** Returns how many came of those that are needed, as the begin of a sentence. */
    static String shortage(Terms terms, Collection<Node> living) {
        return terms.segment() == 0
                ? "only %d of %d nodes".formatted(living.size(), terms.nodes())
                : "only %d of %d whole segments of %d nodes"
                        .formatted(
                                Segments.whole(terms.segment(), living).size(),
                                terms.nodes() / terms.segment(),
                                terms.segment());
    }

    /**
     * Returns the seats of all nodes that live when a cycle begins, by their arrivals. With segments, the first whole ones
     * get ranks, each of them consecutive ones.
     */
    static Map<Integer, Seat> ofRound(int cycle, Terms terms, Collection<Node> living) {
        Set<Node> ordered = new LinkedHashSet<>();
        if (terms.segment() > 0) {
            Segments.whole(terms.segment(), living).stream()
                    .limit(terms.nodes() / terms.segment())
                    .forEach(ordered::addAll);
        }
        living.stream().sorted(Node.ORDER).forEach(ordered::add);
        Map<Integer, Seat> seats = new LinkedHashMap<>();
        ordered.forEach(node -> seats.put(node.arrival(), seat(cycle, terms, seats.size())));
        return seats;
    }

    private static Seat seat(int cycle, Terms terms, int group) {
        return new Seat(cycle, group, terms.nodes(), terms.processes());
    }

    /**
     * Returns the seat of a node that comes when the cycle has begun: its own if it was there before, else the first that
     * nobody has, or whose node is lost. With segments, it has ranks only in a segment of its own domain.
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
        Set<Integer> foreign = segmentsOfOtherDomains(terms, node, seated);
        IntPredicate isFree =
                group -> !taken.contains(group) && (terms.segment() == 0 || !foreign.contains(group / terms.segment()));
        int group = seated.entrySet().stream()
                .filter(entry -> entry.getKey().name().equals(node.name()))
                .mapToInt(entry -> entry.getValue().group())
                .filter(isFree)
                .findFirst()
                .orElseGet(() -> IntStream.iterate(0, next -> next + 1)
                        .filter(isFree)
                        .findFirst()
                        .orElseThrow());
        return seat(cycle, terms, group);
    }

    /** Returns the segments, by their number, whose nodes are of another domain; there are none of spare nodes. */
    private static Set<Integer> segmentsOfOtherDomains(Terms terms, Node node, Map<Node, Seat> seated) {
        return terms.segment() == 0
                ? Set.of()
                : seated.entrySet().stream()
                        .filter(entry -> entry.getValue().isFounder()
                                && !entry.getKey().domain().equals(node.domain()))
                        .map(entry -> entry.getValue().group() / terms.segment())
                        .collect(Collectors.toSet());
    }
}
