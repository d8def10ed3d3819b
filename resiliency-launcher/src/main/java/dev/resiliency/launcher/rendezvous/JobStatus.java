package dev.resiliency.launcher.rendezvous;

import java.util.List;
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

    /**
     * A node.
     *
     * @param seat null if it has none yet in this cycle
     */
    public record NodeStatus(
            Node node, State state, @Nullable Seat seat) {}

    /** What has become of a node. */
    public enum State {
        /** Its agent lives. */
        RUNS,
        /** Its agent was asked to leave. */
        LEAVES,
        /** Its agent has died, or left before the end. */
        LOST,
        /** Its ranks have completed. */
        COMPLETED
    }
}
