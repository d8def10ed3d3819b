package dev.resiliency.examples.bench.chaos;

import java.util.ArrayList;
import java.util.List;

/** Compares what two processes report about the same iteration. */
final class StateComparison {
    private StateComparison() {}

    /** Returns in which respects the two cannot both be right. */
    static List<String> contradictions(
            String name, ChaosEvent.Started state, String otherName, ChaosEvent.Started other) {
        List<String> found = new ArrayList<>();
        if (other.worldSize() != state.worldSize() || other.activeWorldSize() != state.activeWorldSize()) {
            found.add("in iteration %d, %s is in a world of %d (%d active), but %s in one of %d (%d active)"
                    .formatted(
                            state.iteration(),
                            name,
                            state.worldSize(),
                            state.activeWorldSize(),
                            otherName,
                            other.worldSize(),
                            other.activeWorldSize()));
        }
        if (other.rank() == state.rank()
                || other.number() == state.number()
                || (state.isActive() && other.activeRank() == state.activeRank())) {
            found.add("in iteration %d, %s and %s both claim rank %d, number %d, or active rank %d"
                    .formatted(state.iteration(), name, otherName, state.rank(), state.number(), state.activeRank()));
        }
        return found;
    }
}
