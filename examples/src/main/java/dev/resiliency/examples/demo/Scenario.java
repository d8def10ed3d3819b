package dev.resiliency.examples.demo;

import dev.resiliency.inprocess.fault.Fault;
import dev.resiliency.inprocess.fault.Fault.AtStep;
import dev.resiliency.inprocess.fault.FaultKind;
import dev.resiliency.inprocess.fault.FaultKind.Effect;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What the demo does.
 *
 * @param ranks how many processes there are
 * @param active how many of them train at the same time; the others are spares
 * @param steps how long they train
 * @param faults what happens to them
 */
record Scenario(int ranks, int active, int steps, List<Fault> faults) {
    static final int MOST_RANKS = 32;

    /**
     * Checks that all this can be.
     *
     * @throws IllegalArgumentException if it cannot; the message is for a user
     */
    Scenario {
        faults = List.copyOf(faults);
        check(ranks >= 1 && ranks <= MOST_RANKS, "--ranks is " + ranks + ": it must be from 1 to " + MOST_RANKS);
        check(
                active >= 1 && active <= ranks,
                "--active is " + active + ": it must be from 1 to the number of ranks, " + ranks);
        check(steps >= 1, "--steps is " + steps + ": it must be at least 1");
        for (Fault fault : faults) {
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
        check(survivors(ranks, faults).length > 0, "these faults cost every rank: nobody is left to train");
    }

    /** Without spares. */
    Scenario(int ranks, int steps, List<Fault> faults) {
        this(ranks, ranks, steps, faults);
    }

    /** With an exception, and the death of another rank if there is one that trains. */
    static Scenario withDefaultFaults(int ranks, int active, int steps) {
        List<Fault> faults = new ArrayList<>();
        faults.add(Fault.atStep(FaultKind.EXCEPTION, active > 2 ? 2 : 0, Math.max(1, steps * 3 / 10)));
        if (active > 1) {
            faults.add(Fault.atStep(FaultKind.SIGKILL, 1, Math.max(1, steps * 13 / 20)));
        }
        return new Scenario(ranks, active, steps, faults);
    }

    boolean hasSpares() {
        return active < ranks;
    }

    /** The ranks that no fault costs the job. */
    int[] survivors() {
        return survivors(ranks, faults);
    }

    private static int[] survivors(int ranks, List<Fault> faults) {
        return IntStream.range(0, ranks)
                .filter(rank -> faults.stream().noneMatch(fault -> fault.rank() == rank && isLastOf(fault)))
                .toArray();
    }

    private static void checkAgainstEarlier(List<Fault> earlier, Fault fault) {
        for (Fault other : earlier) {
            boolean sameRank = other.rank() == fault.rank();
            check(
                    !(sameRank && other.moment().equals(fault.moment())),
                    other + " and " + fault + " are the same rank at the same moment");
            if (sameRank && other.moment() instanceof AtStep one && fault.moment() instanceof AtStep two) {
                boolean inOrder = one.step() < two.step();
                checkOrder(inOrder ? other : fault, inOrder ? fault : other);
            }
        }
    }

    private static void checkOrder(Fault first, Fault second) {
        check(!isLastOf(first), second + " cannot happen: by then, " + first + " has cost the rank");
    }

    /** Whether its rank is not restarted after it. */
    private static boolean isLastOf(Fault fault) {
        return fault.kind().effect() != Effect.RESTART;
    }

    private static void check(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }
}
