package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.process.ProcessState;
import dev.resiliency.launcher.rendezvous.Seat;
import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * A node between two steps of its {@link Agent}.
 *
 * @param stage the name of its {@link AgentStage}
 * @param cycle in which the node takes part, or has last
 * @param seat the latest; null before the first
 * @param processes by their number on the node
 */
record NodeState(String stage, int cycle, @Nullable Seat seat, List<Slot> processes) {
    /** Returns the number of the node; 0 before it has a seat. */
    int group() {
        return seat == null ? 0 : seat.group();
    }

    /**
     * A process, or those that replace it.
     *
     * @param name what people call it
     * @param rank with which it founds the job; empty for a spare process, and before the node has a seat
     * @param pid of the one that runs, or has run last; 0 if that is not known
     * @param restarts how often it was started again
     * @param promise the number by which the next one is to join
     */
    record Slot(
            int number,
            String name,
            OptionalInt rank,
            ProcessState state,
            long pid,
            int restarts,
            OptionalInt promise) {}
}
