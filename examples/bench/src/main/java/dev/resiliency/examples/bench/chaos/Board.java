package dev.resiliency.examples.bench.chaos;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * What the processes of a job have said, wherever they live: pure data. Detects violations that hold at any time: of the
 * checkpoint, of steps, and of the numbers of iterations.
 */
abstract class Board {
    private final Timeline timeline;
    private final CheckpointWatch checkpoint = new CheckpointWatch();
    private final StepWatch steps = new StepWatch();
    private final IterationWatch iterations;
    private final List<String> violations = new ArrayList<>();

    /** For a job that began with so many ranks. */
    Board(int ranks, Timeline timeline) {
        this.timeline = timeline;
        iterations = new IterationWatch(ranks);
    }

    /**
     * Records an event that a process reported.
     *
     * @param process its number in the order of launches
     * @param rank that it was launched as
     */
    final void watch(int process, int rank, String name, ChaosEvent event) {
        if (event instanceof ChaosEvent.Saved saved) {
            timeline.addProgress(event.nanos(), name, event.describe());
            checkpoint.saved(saved).ifPresent(this::violation);
            return;
        }
        timeline.add(event.nanos(), name, event.describe());
        if (event instanceof ChaosEvent.Started started) {
            iterations.started(process, rank, started).forEach(this::violation);
        } else if (event instanceof ChaosEvent.Restored restored) {
            checkpoint.restored(restored).ifPresent(this::violation);
            steps.recovered(name, restored).forEach(this::violation);
        }
    }

    /** Records a violation. */
    final void violation(String what) {
        violations.add(what);
        timeline.add("BROKEN: " + what);
    }

    /** Returns the violations. */
    final List<String> violations() {
        return Collections.unmodifiableList(violations);
    }

    final StepWatch steps() {
        return steps;
    }

    final CheckpointWatch checkpoint() {
        return checkpoint;
    }

    final IterationWatch iterations() {
        return iterations;
    }
}
