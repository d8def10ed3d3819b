package dev.resiliency.examples.fault;

import dev.resiliency.testing.Fault.AtStep;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The faults of a job, checked against each other.
 *
 * @param ranks number of ranks of the job
 * @param steps number of steps of the training
 * @param faults the faults to inject
 */
public record FaultPlan(int ranks, int steps, List<? extends PlannedFault> faults) {

    /**
     * Validates that all faults can happen.
     *
     * @throws IllegalArgumentException if one cannot; the message is for users
     */
    public FaultPlan {
        faults = List.copyOf(faults);
        for (PlannedFault fault : faults) {
            check(
                    fault.rank() < ranks,
                    fault + ": there is no rank " + fault.rank() + ", ranks go from 0 to " + (ranks - 1));
            check(
                    !(fault.moment() instanceof AtStep at) || (at.step() >= 1 && at.step() <= steps),
                    fault + ": there is no step " + fault.moment() + ", steps go from 1 to " + steps);
        }
        for (int i = 0; i < faults.size(); i++) {
            checkAgainstEarlier(faults.subList(0, i), faults.get(i));
        }
        check(survivors(ranks, faults).length > 0, "these faults cost every rank: none is left to train");
    }

    /** Returns the ranks that survive all faults. */
    public int[] survivors() {
        return survivors(ranks, faults);
    }

    private static int[] survivors(int ranks, List<? extends PlannedFault> faults) {
        return IntStream.range(0, ranks)
                .filter(rank -> faults.stream().noneMatch(fault -> fault.rank() == rank && fault.costsTheRank()))
                .toArray();
    }

    private static void checkAgainstEarlier(List<? extends PlannedFault> earlier, PlannedFault fault) {
        for (PlannedFault other : earlier) {
            boolean sameRank = other.rank() == fault.rank();
            check(
                    !(sameRank && other.moment().equals(fault.moment())),
                    other + " and " + fault + " hit the same rank at the same time");
            if (sameRank && other.moment() instanceof AtStep one && fault.moment() instanceof AtStep two) {
                boolean inOrder = one.step() < two.step();
                checkOrder(inOrder ? other : fault, inOrder ? fault : other);
            }
        }
    }

    private static void checkOrder(PlannedFault first, PlannedFault second) {
        check(!first.costsTheRank(), second + " cannot happen: by then, " + first + " has cost the rank");
    }

    private static void check(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }
}
