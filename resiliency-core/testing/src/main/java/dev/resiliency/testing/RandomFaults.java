package dev.resiliency.testing;

import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Draws random faults from a seed: the same on every rank, in every run, on every version of Java. No rank is hit
 * twice.
 *
 * @param seed the seed
 * @param count the number of faults
 * @param kinds the kinds to choose from
 * @param worldSize the number of ranks
 * @param keepAlive the number of lowest ranks that are spared, as rank 0 may host the store
 * @param steps the last step; faults happen at the beginning of steps from 1 to this
 * @since 0.1.0
 */
public record RandomFaults(long seed, int count, Set<FaultKind> kinds, int worldSize, int keepAlive, int steps) {

    /** Checks that there are as many ranks to hit as there are faults. */
    public RandomFaults {
        kinds = Set.copyOf(kinds);
        if (kinds.isEmpty()) {
            throw new IllegalArgumentException("there is no kind of fault to choose from");
        }
        if (keepAlive < 0 || count < 0 || count > worldSize - keepAlive) {
            throw new IllegalArgumentException(
                    "%d faults cannot hit %d ranks of which %d are spared: each fault needs a rank of its own"
                            .formatted(count, worldSize, keepAlive));
        }
        if (steps < 1) {
            throw new IllegalArgumentException("steps is " + steps + ": it must be at least 1");
        }
    }

    /** Returns the faults, in the order of their steps. */
    public List<Fault> draw() {
        Random random = new Random(seed);
        List<FaultKind> choice = new ArrayList<>(EnumSet.copyOf(kinds)); // in the order of the constants
        List<Integer> ranks = IntStream.range(keepAlive, worldSize).boxed().collect(Collectors.toList());
        Collections.shuffle(ranks, random);
        return ranks.stream()
                .limit(count)
                .map(rank -> new Drawn(choice.get(random.nextInt(choice.size())), rank, 1 + random.nextInt(steps)))
                .sorted((one, other) -> Integer.compare(one.step, other.step))
                .map(drawn -> Fault.atStep(drawn.kind, drawn.rank, drawn.step))
                .toList();
    }

    private record Drawn(FaultKind kind, int rank, int step) {}
}
