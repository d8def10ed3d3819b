package dev.resiliency.launcher.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Seats by segments: only whole ones get ranks, and consecutive ones. */
class SegmentsTest {
    private static final Terms TERMS = new Terms(4, 8, "hard", 2, true);

    private static Node node(int arrival, String domain) {
        return new Node(arrival, "node" + arrival, "10.0.0." + arrival, Node.NO_RANK, domain);
    }

    private static List<Node> nodes(String... domains) {
        return IntStream.range(0, domains.length)
                .mapToObj(arrival -> node(arrival, domains[arrival]))
                .toList();
    }

    private static Map<Integer, Integer> groups(Terms terms, List<Node> nodes) {
        return Seating.ofRound(0, terms, Integer.MAX_VALUE, nodes).entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey, entry -> entry.getValue().group()));
    }

    @Test
    void nodesOfOneSegmentHaveConsecutiveRanks() {
        assertThat(groups(TERMS, nodes("a", "b", "b", "a"))).isEqualTo(Map.of(0, 0, 3, 1, 1, 2, 2, 3));
    }

    @Test
    void nodesThatFillNoSegmentAreSpare() {
        assertThat(groups(TERMS, nodes("c", "a", "a", "a", "b", "b")))
                .isEqualTo(Map.of(1, 0, 2, 1, 4, 2, 5, 3, 0, 4, 3, 5));
    }

    @Test
    void wholeSegmentsBeyondTheNodesOfTheJobAreSpare() {
        assertThat(groups(TERMS, nodes("b", "b", "a", "a", "c", "c")))
                .isEqualTo(Map.of(0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5));
    }

    @Test
    void segmentBeyondThoseOfTheJobIsNoLongerOne() {
        assertThat(groups(TERMS.with(2), nodes("a", "a", "c", "b", "b")))
                .isEqualTo(Map.of(0, 0, 1, 1, 2, 2, 3, 3, 4, 4));
    }

    @Test
    void jobBeginsWithEnoughWholeSegmentsOnly() {
        assertThat(Seating.isEnough(TERMS, nodes("a", "a", "b", "c", "d"))).isFalse();
        assertThat(Seating.shortage(TERMS, nodes("a", "a", "b", "c", "d")))
                .isEqualTo("only 1 of 2 whole segments of 2 nodes");
        assertThat(Seating.isEnough(TERMS, nodes("a", "a", "b", "c", "b"))).isTrue();
    }

    @Test
    void segmentsOfOneNodeAreTheNodesInTheirOrder() {
        Terms single = new Terms(2, 8, "hard", 1, true);

        assertThat(groups(single, nodes("b", "a", "b"))).isEqualTo(Map.of(0, 0, 1, 1, 2, 2));
        assertThat(Seating.isEnough(single, nodes("", ""))).isTrue();
    }

    @Test
    void lateNodeHasRanksOnlyInASegmentOfItsDomain() {
        Map<Node, Seat> seated = seated(nodes("a", "a", "b", "b"));

        assertThat(late(node(4, "b"), seated, Set.of(0, 3))).isEqualTo(3);
        assertThat(late(node(4, "a"), seated, Set.of(0, 3))).isEqualTo(0);
        assertThat(late(node(4, "c"), seated, Set.of(0, 3))).isEqualTo(4);
    }

    @Test
    void nodeThatComesBackGetsItsOwnSeatUnlessItWasMoved() {
        Map<Node, Seat> seated = seated(nodes("a", "a", "b", "b"));
        Node back = new Node(4, "node3", "10.0.0.3", Node.NO_RANK, "b");
        Node moved = new Node(4, "node3", "10.0.0.3", Node.NO_RANK, "a");

        assertThat(late(back, seated, Set.of(3))).isEqualTo(3);
        assertThat(late(moved, seated, Set.of(3))).isEqualTo(4);
    }

    private static Map<Node, Seat> seated(List<Node> nodes) {
        Map<Integer, Seat> seats = Seating.ofRound(0, TERMS, Integer.MAX_VALUE, nodes);
        return nodes.stream().collect(Collectors.toMap(Function.identity(), node -> seats.get(node.arrival())));
    }

    private static int late(Node node, Map<Node, Seat> seated, Set<Integer> lost) {
        return Seating.ofLateNode(TERMS.segment(), node, seated, lost).group();
    }

    static IntStream seeds() {
        return IntStream.range(0, 500);
    }

    @ParameterizedTest
    @MethodSource("seeds")
    void wholeSegmentsGetTheRanksWhateverNodesCome(int seed) {
        Random random = new Random(seed);
        int size = 1 + random.nextInt(4);
        int domains = 1 + random.nextInt(5);
        Terms terms = new Terms(size * (1 + random.nextInt(4)), 8, "hard", size, true);
        int count = random.nextInt(30);
        List<Node> nodes = new ArrayList<>();
        for (int arrival = 0; arrival < count; arrival++) {
            int rank = random.nextBoolean() ? Node.NO_RANK : random.nextInt(30);
            nodes.add(new Node(arrival, "node" + arrival, "10.0.0.1", rank, "d" + random.nextInt(domains)));
        }
        Map<Integer, Integer> groups = groups(terms, nodes);
        assertThat(groups.values())
                .containsExactlyInAnyOrderElementsOf(
                        IntStream.range(0, nodes.size()).boxed().toList());

        List<Node> shuffled = new ArrayList<>(nodes);
        Collections.shuffle(shuffled, random);
        assertThat(groups(terms, shuffled)).isEqualTo(groups);

        Map<String, Long> perDomain =
                nodes.stream().collect(Collectors.groupingBy(Node::domain, Collectors.counting()));
        long seatable = perDomain.values().stream()
                .mapToLong(each -> each / size * size)
                .sum();
        assertThat(Seating.isEnough(terms, nodes)).isEqualTo(seatable >= terms.nodes());
        if (seatable >= terms.nodes()) {
            Map<Integer, Set<String>> ofSegment = nodes.stream()
                    .filter(node -> groups.getOrDefault(node.arrival(), 0) < terms.nodes())
                    .collect(Collectors.groupingBy(
                            node -> groups.getOrDefault(node.arrival(), 0) / size,
                            Collectors.mapping(Node::domain, Collectors.toSet())));
            assertThat(ofSegment).hasSize(terms.nodes() / size);
            assertThat(ofSegment.values()).allMatch(ofOne -> ofOne.size() == 1);
        }
    }
}
