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
    private final NavigableMap<Integer, Integer> onDisk = new TreeMap<>(); // by iteration: the highest known step
    private final NavigableMap<Integer, Integer> restored = new TreeMap<>(); // by iteration, from wherever
    private final NavigableMap<Integer, Integer> read = new TreeMap<>(); // by iteration, from the checkpoint

    /** Records that a checkpoint is on disk; returns what is wrong, if anything. */
    Optional<String> saved(ChaosEvent.Saved event) {
        onDisk.merge(event.iteration(), event.step(), Math::max);
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
            onDisk.merge(event.iteration(), event.step(), Math::max);
        }
        return check();
    }

    /** Verifies that no less is read than what earlier iterations have saved or read. */
    private Optional<String> check() {
        for (Map.Entry<Integer, Integer> each : read.entrySet()) {
            for (Map.Entry<Integer, Integer> earlier :
                    onDisk.headMap(each.getKey()).entrySet()) {
                if (each.getValue() < earlier.getValue()) {
                    return Optional.of("the checkpoint went back: step %d was saved in iteration %d, but iteration %d"
                                    .formatted(earlier.getValue(), earlier.getKey(), each.getKey())
                            + " resumes from step " + each.getValue());
                }
            }
        }
        return Optional.empty();
    }

    /** Returns the highest step that is known to be on disk. */
    int highest() {
        return highest(onDisk);
    }

    /** Returns the highest step that the training is known to have reached. */
    int furthest() {
        return Math.max(highest(), highest(restored));
    }

    private static int highest(Map<Integer, Integer> steps) {
        return steps.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    }
}
