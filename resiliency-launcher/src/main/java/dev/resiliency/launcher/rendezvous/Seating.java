package dev.resiliency.launcher.rendezvous;

import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Decides which node gets which seat. */
final class Seating {
    private Seating() {}

    /** Returns whether a cycle can begin with these nodes. */
    static boolean isEnough(Terms terms, Collection<Node> there) {
        return terms.segment() == 0
                ? there.size() >= terms.nodes()
                : Segments.whole(terms.segment(), there).size() * terms.segment() >= terms.nodes();
    }

    /** Returns how many came of those that are needed, as the begin of a sentence. */
    static String shortage(Terms terms, Collection<Node> there) {
        return terms.segment() == 0
                ? "only %d of %d nodes".formatted(there.size(), terms.nodes())
                : "only %d of %d whole segments of %d nodes"
                        .formatted(
                                Segments.whole(terms.segment(), there).size(),
                                terms.nodes() / terms.segment(),
                                terms.segment());
    }

    /**
     * Returns the seats of the nodes that are there when a cycle begins, by their arrivals. With segments, the first whole
     * ones get ranks, each of them consecutive ones.
     *
     * @param most how many nodes take part: those of the segments, and then those that came first
     */
    static Map<Integer, Seat> ofRound(int cycle, Terms terms, int most, Collection<Node> there) {
        Set<Node> founders = new LinkedHashSet<>();
        if (terms.segment() > 0) {
            Segments.whole(terms.segment(), there).stream()
                    .limit(terms.nodes() / terms.segment())
                    .forEach(founders::addAll);
        }
        List<Node> others = there.stream()
                .filter(node -> !founders.contains(node))
                .sorted(Comparator.comparingInt(Node::arrival))
                .limit(Math.max(0, most - founders.size()))
                .sorted(Node.ORDER)
                .toList();
        Map<Integer, Seat> seats = new LinkedHashMap<>();
        founders.forEach(node -> seats.put(node.arrival(), seat(cycle, terms, seats.size())));
        others.forEach(node -> seats.put(node.arrival(), seat(cycle, terms, seats.size())));
        return seats;
    }

    private static Seat seat(int cycle, Terms terms, int group) {
        return new Seat(cycle, group, terms.nodes(), terms.processes());
    }

    /**
     * Returns the seats of the first of those that come when the cycle has begun, by their arrivals: see {@link #ofLateNode}.
     *
     * @param room how many seats there are for them; less than 1 for none
     */
    static Map<Integer, Seat> ofLateNodes(
            int segment, Collection<Node> late, int room, Map<Node, Seat> seated, Set<Integer> lost) {
        Map<Node, Seat> all = new HashMap<>(seated);
        Map<Integer, Seat> seats = new LinkedHashMap<>();
        late.stream().sorted(Node.ORDER).limit(Math.max(0, room)).forEach(node -> {
            Seat seat = ofLateNode(segment, node, all, lost);
            all.put(node, seat);
            seats.put(node.arrival(), seat);
        });
        return seats;
    }

    /**
     * Returns the seat of a node that comes when the cycle has begun: its own if it was there before, else the first that
     * nobody has, or whose node is lost. The world stays as large as it is. With segments, the node has ranks only in a
     * segment of its own domain.
     *
     * @param segment how many nodes a segment has; 0 for no segments
     * @param seated the nodes that have seats, with them
     * @param lost the arrivals of those that are lost
     */
    static Seat ofLateNode(int segment, Node node, Map<Node, Seat> seated, Set<Integer> lost) {
        Set<Integer> taken = seated.entrySet().stream()
                .filter(entry -> !lost.contains(entry.getKey().arrival())
                        && !entry.getKey().name().equals(node.name()))
                .map(entry -> entry.getValue().group())
                .collect(Collectors.toSet());
        Set<Integer> foreign = segmentsOfOtherDomains(segment, node, seated);
        IntPredicate isFree = group -> !taken.contains(group) && (segment == 0 || !foreign.contains(group / segment));
        int group = seated.entrySet().stream()
                .filter(entry -> entry.getKey().name().equals(node.name()))
                .mapToInt(entry -> entry.getValue().group())
                .filter(isFree)
                .findFirst()
                .orElseGet(() -> IntStream.iterate(0, next -> next + 1)
                        .filter(isFree)
                        .findFirst()
                        .orElseThrow());
        Seat any = seated.values().iterator().next();
        return new Seat(any.cycle(), group, any.nodes(), any.processes());
    }

    /** Returns the segments, by their number, whose nodes are of another domain; there are none of spare nodes. */
    private static Set<Integer> segmentsOfOtherDomains(int segment, Node node, Map<Node, Seat> seated) {
        return segment == 0
                ? Set.of()
                : seated.entrySet().stream()
                        .filter(entry -> entry.getValue().isFounder()
                                && !entry.getKey().domain().equals(node.domain()))
                        .map(entry -> entry.getValue().group() / segment)
                        .collect(Collectors.toSet());
    }
}
