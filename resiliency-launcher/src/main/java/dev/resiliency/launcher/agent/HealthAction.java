package dev.resiliency.launcher.agent;

/** What {@link NodeHealth} decides. */
sealed interface HealthAction {
    /** To run the checks. */
    record Check() implements HealthAction {}

    /** To arrive among the nodes of the job. */
    record Arrive() implements HealthAction {}

    /** To wait for the seat in this cycle. */
    record AwaitSeat(int cycle) implements HealthAction {}

    /** To log a line. */
    record Say(String line) implements HealthAction {}

    /** To say in the store that this node is healthy, or is so again. */
    record MarkHealthy() implements HealthAction {}

    /** To say in the store why it is not. */
    record MarkUnhealthy(String problem) implements HealthAction {}

    /** To end the ranks of this node, and leave the job. */
    record Leave(String reason) implements HealthAction {}
}
