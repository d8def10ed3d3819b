package dev.resiliency.launcher.rendezvous;

import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
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

    /** The values of which it is made, beside what the nodes say of themselves. */
    static final List<String> VALUES = List.of(Keys.TERMS, Keys.CYCLE, Keys.RESTARTS, Keys.END);

    /** The sets of which it is made. */
    static final List<String> SETS = List.of(Keys.LEFT, Keys.GONE, Keys.DONE, Keys.LEAVING, Keys.STOPPING);

    /**
     * Returns the status that follows from what agents have written.
     *
     * @param values by their keys, {@link #VALUES}; empty for what is not written yet
     * @param sets by their keys, {@link #SETS}
     * @param came all nodes, in the order of their arrivals
     * @param seats of the cycle, by arrival
     */
    static JobStatus of(
            Terms terms,
            Function<String, Value> values,
            Function<String, IndexSet> sets,
            Collection<Node> came,
            Map<Integer, Seat> seats) {
        Map<String, NodeStatus> latest = new LinkedHashMap<>();
        for (Node node : came) {
            latest.put(node.name(), new NodeStatus(node, stateOf(node.arrival(), sets), seats.get(node.arrival())));
        }
        return new JobStatus(
                terms,
                Cycles.number(values.apply(Keys.CYCLE)),
                JobBudget.count(values.apply(Keys.RESTARTS).text()),
                values.apply(Keys.END).text(),
                latest.values().stream()
                        .sorted(Comparator.comparing(NodeStatus::node, Node.ORDER))
                        .toList());
    }

    private static State stateOf(int arrival, Function<String, IndexSet> sets) {
        boolean wasAsked = sets.apply(Keys.LEAVING).contains(arrival);
        if (sets.apply(Keys.DONE).contains(arrival)) {
            return State.COMPLETED;
        }
        if (!sets.apply(Keys.GONE).contains(arrival)) {
            return wasAsked || sets.apply(Keys.STOPPING).contains(arrival) ? State.LEAVES : State.RUNS;
        }
        return !sets.apply(Keys.LEFT).contains(arrival) ? State.LOST : wasAsked ? State.DRAINED : State.LEFT;
    }

    /** What has become of a node. */
    public enum State {
        /** Its agent lives. */
        RUNS,
        /** Its agent is about to leave. */
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
