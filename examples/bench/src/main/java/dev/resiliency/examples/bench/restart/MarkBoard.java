package dev.resiliency.examples.bench.restart;

import dev.resiliency.examples.bench.measure.Stage;
import dev.resiliency.examples.bench.restart.Mark.Milestone;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** The marks of all processes of a job, which are numbered in the order of their start. Pure data. */
final class MarkBoard {
    private final Map<Integer, Map<Stage, Long>> stages = new HashMap<>(); // by process
    private final Map<Integer, Map<Integer, Mark.EntryMark>> entered = new HashMap<>(); // by iteration and process
    private final Map<Integer, Map<Integer, Mark.RestartMark>> restarted = new HashMap<>(); // likewise
    private final Map<Integer, Map<Milestone, Map<Integer, Long>>> ready = new HashMap<>(); // by iteration and process
    private OptionalLong faultedAt = OptionalLong.empty();

    void apply(int process, Mark mark) {
        if (mark instanceof Mark.StageMark reached) {
            stages.computeIfAbsent(process, key -> new HashMap<>()).put(reached.stage(), reached.nanos());
        } else if (mark instanceof Mark.EntryMark entry) {
            entered.computeIfAbsent(entry.iteration(), key -> new HashMap<>()).put(process, entry);
        } else if (mark instanceof Mark.ReadyMark came) {
            ready.computeIfAbsent(came.iteration(), key -> new HashMap<>())
                    .computeIfAbsent(came.milestone(), key -> new HashMap<>())
                    .put(process, came.nanos());
        } else if (mark instanceof Mark.RestartMark report) {
            restarted
                    .computeIfAbsent(report.interrupted(), key -> new HashMap<>())
                    .put(process, report);
        } else if (mark instanceof Mark.FaultMark faulted) {
            faultedAt = OptionalLong.of(faulted.nanos());
        }
    }

    /** Returns when the fault happened; empty before. */
    OptionalLong faultedAt() {
        return faultedAt;
    }

    /** Returns when this process reached each stage; those that it has not reached are absent. */
    Map<Stage, Long> stages(int process) {
        return stages.getOrDefault(process, Map.of());
    }

    /** Returns the entries into this iteration, by process. */
    Map<Integer, Mark.EntryMark> entered(int iteration) {
        return entered.getOrDefault(iteration, Map.of());
    }

    /** Returns when the training came this far in this iteration, by process. */
    Map<Integer, Long> ready(int iteration, Milestone milestone) {
        return ready.getOrDefault(iteration, Map.of()).getOrDefault(milestone, Map.of());
    }

    /** Returns whether each of these processes has done a step in this iteration; others, such as a spare, count for none. */
    boolean haveStepped(int iteration, Set<Integer> processes) {
        return ready(iteration, Milestone.FIRST_STEP).keySet().containsAll(processes);
    }

    /** Returns the reports of the restart that ended this iteration, by process. */
    Map<Integer, Mark.RestartMark> restarted(int interrupted) {
        return restarted.getOrDefault(interrupted, Map.of());
    }

    /** Returns the first iteration after this one that as many active ranks have entered, all of them together. */
    OptionalInt full(int after, int activeRanks) {
        return entered.entrySet().stream()
                .filter(iteration -> iteration.getKey() > after)
                .filter(iteration -> iteration.getValue().size() == activeRanks
                        && iteration.getValue().values().stream()
                                .allMatch(entry -> entry.activeWorldSize() == activeRanks))
                .mapToInt(Map.Entry::getKey)
                .min();
    }
}
