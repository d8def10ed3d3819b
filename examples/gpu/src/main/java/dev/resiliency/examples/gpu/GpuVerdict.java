package dev.resiliency.examples.gpu;

import dev.resiliency.examples.fault.FaultPlan;
import dev.resiliency.examples.fault.PlannedFault;
import dev.resiliency.testing.FaultKind.Effect;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Judges a training on GPUs by the output and the exit codes of its ranks. */
final class GpuVerdict {
    /** Beginnings of the lines of {@link GpuRankCommand} that count here. */
    static final String FINISHED = "finished with accuracy ";

    static final String FAULT = "fault ";

    private static final double ACCURACY_TO_REACH = 0.95;

    private final FaultPlan plan;
    private final List<String> problems = new ArrayList<>();
    private final Set<String> accuracies = new TreeSet<>();
    private final Set<String> injected = new TreeSet<>();

    GpuVerdict(FaultPlan plan) {
        this.plan = plan;
    }

    /** Records a line that a rank printed. */
    void printed(String line) {
        if (line.startsWith(FINISHED)) {
            accuracies.add(line.substring(FINISHED.length()));
        } else if (line.startsWith(FAULT)) {
            injected.add(line.substring(FAULT.length()));
        }
    }

    /** Returns whether the process of a rank is frozen for good, as if its host were lost. */
    boolean isToFreeze(int rank) {
        return plan.faults().stream().anyMatch(fault -> fault.rank() == rank && fault.effect() == Effect.SILENCE);
    }

    /** Records the exit code of a rank; -1 if it has not exited in time. */
    void ended(int rank, int exitCode) {
        if (isToFreeze(rank)) {
            if (exitCode != -1) {
                problems.add("rank " + rank + " should be frozen, but exited with code " + exitCode);
            }
        } else if (exitCode == -1) {
            problems.add("rank " + rank + " has not exited in time");
        } else if (plan.survivors().contains(rank) != (exitCode == 0)) {
            problems.add("rank " + rank + (exitCode == 0 ? " should have been lost" : " should have survived")
                    + ", but exited with code " + exitCode);
        }
    }

    /** Returns what is wrong, once all have ended; empty if the job met all expectations. */
    List<String> problems() {
        List<String> all = new ArrayList<>(problems);
        for (PlannedFault fault : plan.faults()) {
            if (!injected.contains(fault.toString())) {
                all.add("the fault " + fault + " did not happen");
            }
        }
        if (accuracies.size() != 1 || Double.parseDouble(accuracies.iterator().next()) < ACCURACY_TO_REACH) {
            all.add("accuracies are " + accuracies + ": expected a single one, of at least " + ACCURACY_TO_REACH);
        }
        return all;
    }
}
