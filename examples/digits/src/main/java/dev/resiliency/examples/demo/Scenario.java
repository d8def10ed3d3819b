package dev.resiliency.examples.demo;

import dev.resiliency.examples.fault.FaultPlan;
import dev.resiliency.examples.fault.TrainingFault;
import dev.resiliency.testing.Fault;
import dev.resiliency.testing.FaultKind;
import java.util.ArrayList;
import java.util.List;

/**
 * The job that the demo runs, and the faults that it injects.
 *
 * @param ranks number of processes
 * @param active number of ranks that train at the same time; the others are reserves
 * @param steps number of training steps
 * @param faults the faults to inject
 */
record Scenario(int ranks, int active, int steps, List<Fault> faults) {
    static final int MOST_RANKS = 32;

    /**
     * Validates the settings.
     *
     * @throws IllegalArgumentException if they contradict each other; the message is for users
     */
    Scenario {
        faults = List.copyOf(faults);
        check(ranks >= 1 && ranks <= MOST_RANKS, "--ranks is " + ranks + ": it must be from 1 to " + MOST_RANKS);
        check(
                active >= 1 && active <= ranks,
                "--active is " + active + ": it must be from 1 to the number of ranks, " + ranks);
        check(steps >= 1, "--steps is " + steps + ": it must be at least 1");
        new FaultPlan(ranks, steps, TrainingFault.listOf(faults));
    }

    /** Creates a scenario without reserves. */
    Scenario(int ranks, int steps, List<Fault> faults) {
        this(ranks, ranks, steps, faults);
    }

    /** Returns a scenario with an exception and, if another rank trains, its death. */
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

    /** Returns the ranks that survive all faults. */
    int[] survivors() {
        return new FaultPlan(ranks, steps, TrainingFault.listOf(faults)).survivors();
    }

    private static void check(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }
}
