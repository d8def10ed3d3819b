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
 * @param replaced whether other processes take the place of those that end
 */
public record FaultPlan(int ranks, int steps, List<? extends PlannedFault> faults, boolean replaced) {

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
            for (PlannedFault other : faults.subList(0, i)) {
                checkBoth(other, faults.get(i), replaced);
            }
        }
        check(!survivors(ranks, faults, replaced).isEmpty(), "these faults cost every rank: none is left to train");
    }

    /** Returns the ranks that survive all faults. */
    public List<Integer> survivors() {
        return survivors(ranks, faults, replaced);
    }

    private static List<Integer> survivors(int ranks, List<? extends PlannedFault> faults, boolean replaced) {
        return IntStream.range(0, ranks)
                .filter(rank ->
                        replaced || faults.stream().noneMatch(fault -> fault.rank() == rank && fault.costsTheRank()))
                .boxed()
                .toList();
    }

    private static void checkBoth(PlannedFault one, PlannedFault other, boolean replaced) {
        if (one.rank() != other.rank()) {
            return;
        }
        check(!one.moment().equals(other.moment()), one + " and " + other + " hit the same rank at the same time");
        if (one.moment() instanceof AtStep first && other.moment() instanceof AtStep second) {
            boolean inOrder = first.step() < second.step();
            PlannedFault earlier = inOrder ? one : other;
            check(
                    replaced || !earlier.costsTheRank(),
                    (inOrder ? other : one) + " cannot happen: by then, " + earlier + " has cost the rank");
        }
    }

    private static void check(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }
}
