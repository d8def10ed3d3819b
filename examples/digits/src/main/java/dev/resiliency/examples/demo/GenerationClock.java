package dev.resiliency.examples.demo;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** Measures how long it takes until a job that has lost all processes is back, in its next generation. */
final class GenerationClock {
    private final int ranks;
    private final Set<Integer> lost = new HashSet<>();
    private long allLostAt;
    private int number;
    private int firstIteration;
    private boolean isComing;

    GenerationClock(int ranks) {
        this.ranks = ranks;
    }

    /** Records that the process of a rank is lost. */
    void lost(int rank, long nanos) {
        if (lost.add(rank) && lost.size() == ranks) {
            allLostAt = nanos;
        }
    }

    /** Records that a process takes part; returns the new generation once all ranks do. */
    Optional<Generation> entered(int rank, int generation, int iteration, long nanos) {
        lost.remove(rank);
        if (generation > number) {
            number = generation;
            firstIteration = iteration;
            isComing = true;
        }
        if (!isComing || !lost.isEmpty()) {
            return Optional.empty();
        }
        isComing = false;
        return Optional.of(new Generation(number, firstIteration, RestartClock.milliseconds(nanos - allLostAt)));
    }

    /** Returns the number of the latest generation, 0 if there was no other. */
    int number() {
        return number;
    }
}
