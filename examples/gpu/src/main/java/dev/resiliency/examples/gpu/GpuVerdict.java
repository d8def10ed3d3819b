package dev.resiliency.examples.gpu;

import dev.resiliency.examples.fault.FaultPlan;
import dev.resiliency.examples.fault.PlannedFault;
import dev.resiliency.inprocess.fault.FaultKind.Effect;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.stream.IntStream;

/** Judges a training on GPUs by what its ranks have printed, and how they have ended. */
final class GpuVerdict {
    /** How the lines of {@link GpuRankCommand} begin that count here. */
    static final String FINISHED = "finished with accuracy ";

    static final String FAULT = "fault ";

    private static final double ACCURACY_TO_REACH = 0.95;

    private final FaultPlan plan;
    private final Set<Integer> survivors;
    private final List<String> problems = new ArrayList<>();
    /** Written by the threads that read what the ranks print. */
    private final Set<String> accuracies = new ConcurrentSkipListSet<>();
    /** Written by the threads that read what the ranks print. */
    private final Set<String> injected = new ConcurrentSkipListSet<>();

    GpuVerdict(FaultPlan plan) {
        this.plan = plan;
        survivors = Set.copyOf(IntStream.of(plan.survivors()).boxed().toList());
    }

    /** A rank has printed a line. For any thread. */
    void hear(String line) {
        if (line.startsWith(FINISHED)) {
            accuracies.add(line.substring(FINISHED.length()));
        } else if (line.startsWith(FAULT)) {
            injected.add(line.substring(FAULT.length()));
        }
    }

    /** Whether the process of a rank never ends by itself, as if its host were lost. */
    boolean isToStandStill(int rank) {
        return plan.faults().stream().anyMatch(fault -> fault.rank() == rank && fault.effect() == Effect.SILENCE);
    }

    /** The ranks, those behind the others that do not end. */
    List<Integer> orderOfTheirEnds() {
        return IntStream.range(0, plan.ranks())
                .boxed()
                .sorted(Comparator.comparing(this::isToStandStill))
                .toList();
    }

    /** A rank has ended with this exit code; -1 if it has not. */
    void ended(int rank, int exitCode) {
        if (isToStandStill(rank)) {
            if (exitCode != -1) {
                problems.add("rank " + rank + " should stand still, but has ended with " + exitCode);
            }
        } else if (exitCode == -1) {
            problems.add("rank " + rank + " has not ended in time");
        } else if (survivors.contains(rank) != (exitCode == 0)) {
            problems.add("rank " + rank + (exitCode == 0 ? " should have been lost" : " should have survived")
                    + ", but has ended with " + exitCode);
        }
    }

    /** All that is wrong, once all have ended; nothing if the job has done what it should. */
    List<String> problems() {
        List<String> all = new ArrayList<>(problems);
        for (PlannedFault fault : plan.faults()) {
            if (!injected.contains(fault.toString())) {
                all.add("the fault " + fault + " has not happened");
            }
        }
        if (accuracies.size() != 1 || Double.parseDouble(accuracies.iterator().next()) < ACCURACY_TO_REACH) {
            all.add("accuracies are " + accuracies + ": they should be one, of at least " + ACCURACY_TO_REACH);
        }
        return all;
    }
}
