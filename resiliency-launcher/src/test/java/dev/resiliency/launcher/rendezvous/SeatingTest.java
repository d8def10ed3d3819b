package dev.resiliency.launcher.rendezvous;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SeatingTest {
    private static final Terms TERMS = new Terms(2, 4, "soft", 0, true);

    private static Node node(int arrival, String name) {
        return node(arrival, name, Node.NO_RANK);
    }

    private static Node node(int arrival, String name, int givenRank) {
        return new Node(arrival, name, "10.0.0." + arrival, givenRank, "");
    }

    private static Map<Integer, Seat> round(List<Node> nodes) {
        return Seating.ofRound(0, TERMS, 9, nodes);
    }

    private static Seat seat(int group) {
        return new Seat(0, group, 2, 4);
    }

    @Test
    void nodesAreOrderedByTheNumbersInTheirNames() {
        Map<Integer, Seat> seats = round(List.of(node(0, "node10"), node(1, "node9"), node(2, "node100")));

        assertThat(seats).isEqualTo(Map.of(1, seat(0), 0, seat(1), 2, seat(2)));
    }

    @Test
    void givenRanksComeFirst() {
        Map<Integer, Seat> seats = round(List.of(node(0, "a"), node(1, "b", 1), node(2, "c", 0)));

        assertThat(seats).isEqualTo(Map.of(2, seat(0), 1, seat(1), 0, seat(2)));
    }

    @Test
    void thoseThatCameFirstTakePartIfThereAreTooMany() {
        List<Node> nodes = List.of(node(0, "c"), node(1, "b"), node(2, "a"));

        assertThat(Seating.ofRound(3, TERMS.with(1), 2, nodes))
                .isEqualTo(Map.of(1, new Seat(3, 0, 1, 4), 0, new Seat(3, 1, 1, 4)));
    }

    @Test
    void nodeThatComesLateDoesNotChangeTheSizeOfTheWorld() {
        Map<Node, Seat> seated = Map.of(node(0, "a"), new Seat(3, 0, 1, 4));

        assertThat(Seating.ofLateNode(0, node(1, "b"), seated, Set.of())).isEqualTo(new Seat(3, 1, 1, 4));
    }

    @Test
    void nodesBeyondTheLeastNumberAreSpare() {
        assertThat(seat(1).isFounder()).isTrue();
        assertThat(seat(2).isFounder()).isFalse();
        assertThat(seat(1).worldSize()).isEqualTo(8);
        assertThat(seat(1).rank(3)).isEqualTo(7);
    }

    @Test
    void spareProcessesHaveARankOfTheJobSoThatTheyJoin() {
        assertThat(seat(0).rank(4)).isEqualTo(0);
        assertThat(seat(3).rank(2)).isEqualTo(6);
    }

    @Test
    void eachNodeThatComesBackGetsItsOwnSeatWhicheverIsFirst() {
        Map<Node, Seat> seated = new LinkedHashMap<>();
        seated.put(node(0, "a"), seat(0));
        seated.put(node(1, "b"), seat(1));
        seated.put(node(2, "c"), seat(2));

        assertThat(Seating.ofLateNode(0, node(3, "c"), seated, Set.of(1, 2))).isEqualTo(seat(2));
        assertThat(Seating.ofLateNode(0, node(3, "b"), seated, Set.of(1, 2))).isEqualTo(seat(1));
    }

    @Test
    void newNodeGetsTheSeatOfALostOne() {
        Map<Node, Seat> seated = Map.of(node(0, "a"), seat(0), node(1, "b"), seat(1), node(2, "c"), seat(2));

        assertThat(Seating.ofLateNode(0, node(3, "d"), seated, Set.of(1))).isEqualTo(seat(1));
        assertThat(Seating.ofLateNode(0, node(3, "d"), seated, Set.of())).isEqualTo(seat(3));
    }

    @Test
    void nodeWhoseSeatWasGivenAwayGetsAnother() {
        Map<Node, Seat> seated = Map.of(node(0, "a"), seat(0), node(1, "b"), seat(1), node(2, "c"), seat(1));

        assertThat(Seating.ofLateNode(0, node(3, "b"), seated, Set.of(1))).isEqualTo(seat(2));
    }

    @Test
    void seatsAndNodesAreReadAsTheyWereWritten() {
        assertThat(Seat.read(seat(3).text())).isEqualTo(seat(3));
        Node node = node(7, "a name with spaces", 3);
        assertThat(Node.read(7, node.text())).isEqualTo(node);
        Node ofDomain = new Node(7, "a name", "10.0.0.7", 3, "rack-1");
        assertThat(Node.read(7, ofDomain.text())).isEqualTo(ofDomain);
    }
}
