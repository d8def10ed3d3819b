package dev.resiliency.launcher.rendezvous;

import dev.resiliency.store.IndexSet;

/**
 * The agents that have come, and those that are no longer there. The sets only grow. Confined to the thread that runs the
 * agent.
 */
final class Arrivals {
    private IndexSet came = IndexSet.empty();
    private IndexSet gone = IndexSet.empty();
    private IndexSet done = IndexSet.empty();
    private IndexSet leaving = IndexSet.empty();
    private IndexSet left = IndexSet.empty();

    void addCame(IndexSet more) {
        came = came.union(more);
    }

    void addGone(IndexSet more) {
        gone = gone.union(more);
    }

    void addDone(IndexSet more) {
        done = done.union(more);
    }

    void addLeaving(IndexSet more) {
        leaving = leaving.union(more);
    }

    void addLeft(IndexSet more) {
        left = left.union(more);
    }

    /** Returns what has become of one that is gone: {@code is lost}. */
    String stateOf(int arrival) {
        return !left.contains(arrival) ? "is lost" : leaving.contains(arrival) ? "has left (drained)" : "has left";
    }

    IndexSet came() {
        return came;
    }

    /** Returns those that have died, or left before the end. */
    IndexSet gone() {
        return gone;
    }

    /** Returns those that are there. */
    IndexSet living() {
        return came.minus(gone).minus(done);
    }

    /** Returns those that are there and were not asked to leave. */
    IndexSet staying() {
        return living().minus(leaving);
    }

    /** Returns whether this agent has the lowest number of those that are there. */
    boolean isLowest(int arrival) {
        IndexSet living = living();
        return !living.isEmpty() && living.lowest() == arrival;
    }
}
