package dev.resiliency.launcher.rendezvous;

import dev.resiliency.store.IndexSet;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the agents of a job have written about it.
 *
 * @param terms those that all nodes agree on
 * @param restarts how many are spent, as far as they still count
 * @param end why the job has ended; empty if it has not
 * @param nodes in their order, the latest arrival of each
 */
public record JobStatus(Terms terms, int cycle, int restarts, String end, List<NodeStatus> nodes) {

    /** Returns how many ranks train when all are there: those of the nodes that have seats in this cycle. */
    public int worldSize() {
        return nodes.stream()
                .map(NodeStatus::seat)
                .filter(Objects::nonNull)
                .findFirst()
                .map(Seat::worldSize)
                .orElse(terms.nodes() * terms.processes());
    }

    /**
     * A node.
     *
     * @param seat null if it has none yet in this cycle
     */
    public record NodeStatus(
            Node node, State state, @Nullable Seat seat) {}

    /**
     * Returns the nodes in their order, the latest arrival of each.
     *
     * @param came in the order of their arrivals
     * @param left those that have said goodbye before the end
     * @param seats of the cycle, by arrival
     */
    static List<NodeStatus> order(
            Collection<Node> came,
            IndexSet done,
            IndexSet gone,
            IndexSet leaving,
            IndexSet left,
            Map<Integer, Seat> seats) {
        Map<String, NodeStatus> latest = new LinkedHashMap<>();
        for (Node node : came) {
            int arrival = node.arrival();
            State state = stateOf(arrival, done, gone, leaving, left);
            latest.put(node.name(), new NodeStatus(node, state, seats.get(arrival)));
        }
        return latest.values().stream()
                .sorted(Comparator.comparing(NodeStatus::node, Node.ORDER))
                .toList();
    }

    private static State stateOf(int arrival, IndexSet done, IndexSet gone, IndexSet leaving, IndexSet left) {
        boolean wasAsked = leaving.contains(arrival);
        if (done.contains(arrival)) {
            return State.COMPLETED;
        }
        if (!gone.contains(arrival)) {
            return wasAsked ? State.LEAVES : State.RUNS;
        }
        return !left.contains(arrival) ? State.LOST : wasAsked ? State.DRAINED : State.LEFT;
    }

    /** What has become of a node. */
    public enum State {
        /** Its agent lives. */
        RUNS,
        /** Its agent was asked to leave. */
        LEAVES,
        /** Its agent has left, as it was asked to. */
        DRAINED,
        /** Its agent has left before the end, as a signal has asked it to, or its ranks have. */
        LEFT,
        /** Its agent has died. */
        LOST,
        /** Its ranks have completed. */
        COMPLETED;

        /** Returns whether all that was on the node has ended on purpose. */
        public boolean isLeave() {
            return this == DRAINED || this == LEFT || this == COMPLETED;
        }

        /** Returns the state for people. */
        public String text() {
            return this == DRAINED ? "left (drained)" : name().toLowerCase(Locale.ROOT);
        }
    }
}
