package dev.resiliency.examples.bench.chaos;

import dev.resiliency.state.RecoveryReport.Source;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Notices if the checkpoint goes back, or if ranks resume from different steps. Events of different ranks may arrive in any
 * order. Pure data.
 */
final class CheckpointWatch {
    private final NavigableMap<Integer, Integer> saved = new TreeMap<>(); // by iteration: the highest step
    private final NavigableMap<Integer, Integer> restored = new TreeMap<>(); // by iteration, from wherever
    private final NavigableMap<Integer, Integer> read = new TreeMap<>(); // by iteration, from the checkpoint

    /** Records that a checkpoint is on disk; returns what is wrong, if anything. */
    Optional<String> saved(ChaosEvent.Saved event) {
        saved.merge(event.iteration(), event.step(), Math::max);
        return check();
    }

    /** Records that a rank has its state; returns what is wrong, if anything. */
    Optional<String> restored(ChaosEvent.Restored event) {
        Integer others = restored.putIfAbsent(event.iteration(), event.step());
        if (others != null && others != event.step()) {
            return Optional.of("in iteration %d one rank resumes from step %d, another one from step %d"
                    .formatted(event.iteration(), others, event.step()));
        }
        if (event.source() == Source.CHECKPOINT) {
            read.put(event.iteration(), event.step());
        }
        return check();
    }

    /** Verifies that no less is read than earlier iterations saved. */
    private Optional<String> check() {
        int highest = 0;
        int savedIn = -1;
        for (int iteration = 0; iteration <= (read.isEmpty() ? -1 : read.lastKey()); iteration++) {
            Integer step = read.get(iteration);
            if (step != null && step < highest) {
                return Optional.of("the checkpoint went back: step %d was saved in iteration %d, but iteration %d"
                                .formatted(highest, savedIn, iteration)
                        + " resumes from step " + step);
            }
            int here = Math.max(saved.getOrDefault(iteration, 0), step == null ? 0 : step);
            if (here > highest) {
                highest = here;
                savedIn = iteration;
            }
        }
        return Optional.empty();
    }

    /** Returns the highest step that is known to be on disk. */
    int highest() {
        return Math.max(highest(saved), highest(read));
    }

    /** Returns the highest step that the training is known to have reached. */
    int furthest() {
        return Math.max(highest(saved), highest(restored));
    }

    private static int highest(Map<Integer, Integer> steps) {
        return steps.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    }
}
