package dev.resiliency.examples.demo;

import dev.resiliency.examples.fault.FaultPlan;
import dev.resiliency.examples.fault.TrainingFault;
import dev.resiliency.testing.Fault;
import dev.resiliency.testing.Fault.AtStep;
import dev.resiliency.testing.Fault.Moment;
import dev.resiliency.testing.FaultKind;
import dev.resiliency.testing.FaultKind.Effect;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.stream.Stream;

/**
 * The job that the demo runs, and the faults that it injects.
 *
 * @param ranks number of processes
 * @param active number of ranks that train at the same time; the others are reserves
 * @param steps number of training steps
 * @param faults the faults to inject into single ranks
 * @param killsAll when to kill all processes
 * @param replace whether processes that end are started again; always true if all are killed
 */
record Scenario(int ranks, int active, int steps, List<Fault> faults, List<Moment> killsAll, boolean replace) {
    static final int MOST_RANKS = 32;

    /**
     * Validates the settings.
     *
     * @throws IllegalArgumentException if they contradict each other; the message is for users
     */
    Scenario {
        faults = List.copyOf(faults);
        killsAll = List.copyOf(killsAll);
        replace = replace || !killsAll.isEmpty();
        check(ranks >= 1 && ranks <= MOST_RANKS, "--ranks is " + ranks + ": it must be from 1 to " + MOST_RANKS);
        check(
                active >= 1 && active <= ranks,
                "--active is " + active + ": it must be from 1 to the number of ranks, " + ranks);
        check(steps >= 1, "--steps is " + steps + ": it must be at least 1");
        plan(ranks, steps, faults, replace);
        checkKillsAll(steps, killsAll);
        for (int rank = 0; replace && rank < ranks; rank++) {
            checkBudget(rank, faults, killsAll.size());
        }
    }

    /** Creates a scenario in which no process is started again. */
    Scenario(int ranks, int active, int steps, List<Fault> faults) {
        this(ranks, active, steps, faults, List.of(), false);
    }

    /** Creates a scenario without reserves, in which no process is started again. */
    Scenario(int ranks, int steps, List<Fault> faults) {
        this(ranks, ranks, steps, faults);
    }

    /** Returns a scenario with these faults of single ranks, and of all. */
    static Scenario of(int ranks, int active, int steps, Collection<DemoFault> faults, boolean replace) {
        List<Fault> ofRanks = new ArrayList<>();
        List<Moment> ofAll = new ArrayList<>();
        for (DemoFault fault : faults) {
            if (fault instanceof DemoFault.OfRank one) {
                ofRanks.add(one.fault());
            } else if (fault instanceof DemoFault.OfAll all) {
                ofAll.add(all.moment());
            }
        }
        return new Scenario(ranks, active, steps, ofRanks, ofAll, replace);
    }

    /**
     * Returns a scenario with an exception and, if another rank trains, its death. If processes are started again, both
     * come early, so that the replacement has time to join; and in a job with reserves, where it only waits, another death
     * shows that it takes over.
     */
    static Scenario withDefaultFaults(int ranks, int active, int steps, boolean replace) {
        List<Fault> faults = new ArrayList<>();
        int exceptionAt = replace ? steps / 10 : steps * 3 / 10;
        faults.add(Fault.atStep(FaultKind.EXCEPTION, active > 2 ? 2 : 0, Math.max(1, exceptionAt)));
        if (active > 1) {
            int killAt = replace ? steps / 4 : steps * 13 / 20;
            faults.add(Fault.atStep(FaultKind.SIGKILL, 1, Math.max(1, killAt)));
        }
        int killAgainAt = steps / 2;
        if (replace && active < ranks && killAgainAt > 1) {
            faults.add(Fault.atStep(FaultKind.SIGKILL, 0, killAgainAt));
        }
        return new Scenario(ranks, active, steps, faults, List.of(), replace);
    }

    boolean hasSpares() {
        return active < ranks;
    }

    /** Returns the faults of single ranks and of all. */
    List<DemoFault> allFaults() {
        return Stream.<DemoFault>concat(
                        faults.stream().map(DemoFault.OfRank::new),
                        killsAll.stream().map(DemoFault.OfAll::new))
                .toList();
    }

    /** Returns whether only a timeout detects one of the faults. */
    boolean hasHangs() {
        return faults.stream().anyMatch(fault -> fault.kind().isNoticedByTimeout());
    }

    /** Returns the ranks of which a process finishes the training, if all goes well. */
    int[] survivors() {
        return plan(ranks, steps, faults, replace).survivors();
    }

    private static FaultPlan plan(int ranks, int steps, List<Fault> faults, boolean replace) {
        return new FaultPlan(
                ranks,
                steps,
                replace
                        ? faults.stream()
                                .map(fault -> new TrainingFault(fault, false))
                                .toList()
                        : TrainingFault.listOf(faults));
    }

    private static void checkKillsAll(int steps, List<Moment> killsAll) {
        for (Moment moment : killsAll) {
            check(
                    !(moment instanceof AtStep at) || (at.step() >= 1 && at.step() <= steps),
                    new DemoFault.OfAll(moment) + ": there is no step " + moment + ", steps go from 1 to " + steps);
        }
        check(new HashSet<>(killsAll).size() == killsAll.size(), "kill:all twice at the same time");
    }

    private static void checkBudget(int rank, List<Fault> faults, int killsAll) {
        long ends = killsAll
                + faults.stream()
                        .filter(fault -> fault.rank() == rank && fault.kind().effect() != Effect.RESTART)
                        .count();
        check(
                ends <= Supervisor.BUDGET,
                "these faults end rank " + rank + " " + ends + " times, but it is started again at most "
                        + Supervisor.BUDGET + " times");
    }

    private static void check(boolean condition, String message) {
        if (!condition) {
            throw new IllegalArgumentException(message);
        }
    }
}
