package dev.resiliency.launcher.rendezvous;

import dev.resiliency.store.IndexSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Who has which seat in a cycle. Immutable.
 *
 * @param number how many decisions were taken before, in the whole job: that of the next one
 * @param seats by the arrivals of the nodes; empty while the cycle has not begun
 */
record SeatTable(int number, int cycle, Map<Integer, Seat> seats) {
    /** Copies the seats. */
    SeatTable {
        seats = Map.copyOf(seats);
    }

    /** Returns the numbers of the decisions before. */
    IndexSet decided() {
        return IndexSet.range(0, number);
    }

    /** Returns the table after a decision that gives more seats. */
    SeatTable with(Map<Integer, Seat> more) {
        Map<Integer, Seat> all = new LinkedHashMap<>(seats);
        all.putAll(more);
        return new SeatTable(number + 1, cycle, all);
    }

    /** Returns the seats by the nodes that have them. */
    Map<Node, Seat> byNode(Map<Integer, Node> nodes) {
        Map<Node, Seat> seated = new HashMap<>();
        seats.forEach((arrival, seat) -> seated.put(nodes.get(arrival), seat));
        return seated;
    }
}
