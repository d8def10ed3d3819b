package dev.resiliency.examples.bench.chaos;

import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** Notices that the checkpoint goes back. Events of different ranks may come in any order. Pure state. */
final class CheckpointWatch {
    private final NavigableMap<Integer, Integer> saved = new TreeMap<>(); // by iteration: the highest step
    private final NavigableMap<Integer, Integer> restored = new TreeMap<>();

    /** A checkpoint is on the disk; results in what is wrong, if anything is. */
    Optional<String> saved(ChaosEvent.Saved event) {
        saved.merge(event.iteration(), event.step(), Math::max);
        return check();
    }

    /** A checkpoint was read; results in what is wrong, if anything is. */
    Optional<String> restored(ChaosEvent.Restored event) {
        Integer others = restored.putIfAbsent(event.iteration(), event.step());
        if (others != null && others != event.step()) {
            return Optional.of("in iteration %d one rank goes on from step %d, another one from step %d"
                    .formatted(event.iteration(), others, event.step()));
        }
        return check();
    }

    /** Nothing less than what was saved in earlier iterations may be restored. */
    private Optional<String> check() {
        int highest = 0;
        int savedIn = -1;
        for (int iteration = 0; iteration <= (restored.isEmpty() ? -1 : restored.lastKey()); iteration++) {
            Integer step = restored.get(iteration);
            if (step != null && step < highest) {
                return Optional.of(
                        "the checkpoint has gone back: step %d was saved in iteration %d, but iteration %d goes"
                                        .formatted(highest, savedIn, iteration)
                                + " on from step " + step);
            }
            int here = Math.max(saved.getOrDefault(iteration, 0), step == null ? 0 : step);
            if (here > highest) {
                highest = here;
                savedIn = iteration;
            }
        }
        return Optional.empty();
    }

    /** The highest step that is known to be on the disk. */
    int highest() {
        return Math.max(highest(saved), highest(restored));
    }

    private static int highest(Map<Integer, Integer> steps) {
        return steps.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    }
}
