package dev.resiliency.examples.bench.chaos;

import dev.resiliency.state.RecoveryReport.Source;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Notices if a step is repeated though a process still held it, or skipped. Events of different ranks may arrive in any
 * order. Pure data.
 */
final class StepWatch {
    private final NavigableMap<Integer, List<ChaosEvent.Restored>> recoveries = new TreeMap<>(); // by iteration
    private final Map<Source, Integer> counts = new EnumMap<>(Source.class);

    /** Records that a rank has its state; returns what is wrong. */
    List<String> recovered(String name, ChaosEvent.Restored event) {
        List<ChaosEvent.Restored> together = recoveries.computeIfAbsent(event.iteration(), key -> new ArrayList<>());
        together.add(event);
        counts.merge(event.source(), 1, Integer::sum);
        List<String> wrong = new ArrayList<>();
        if (event.held() > event.step() && !isGivenUp(event)) {
            wrong.add(
                    "in iteration %d, %s resumes from step %d (%s), though it had completed step %d: steps are repeated"
                            .formatted(event.iteration(), name, event.step(), event.source(), event.held()));
        }
        if (together.size() == event.active()) {
            checkNoneIsSkipped(together, wrong);
        }
        return wrong;
    }

    /** What was held before others went back to a checkpoint counts for nothing. */
    private boolean isGivenUp(ChaosEvent.Restored event) {
        return recoveries.subMap(event.heldIn(), false, event.iteration(), false).values().stream()
                .flatMap(List::stream)
                .anyMatch(other -> other.source() == Source.CHECKPOINT);
    }

    /** Ranks are at most one step apart: whoever held more than all that report, and is gone, held one step more. */
    private static void checkNoneIsSkipped(List<ChaosEvent.Restored> together, List<String> wrong) {
        ChaosEvent.Restored any = together.get(0);
        int furthest =
                together.stream().mapToInt(ChaosEvent.Restored::held).max().orElseThrow();
        if (any.source() != Source.CHECKPOINT && furthest >= 0 && any.step() > furthest + 1) {
            wrong.add(
                    "iteration %d resumes from step %d, but no process has completed more than step %d: steps are skipped"
                            .formatted(any.iteration(), any.step(), furthest));
        }
    }

    /** Returns how often ranks had their state from each source. */
    Map<Source, Integer> counts() {
        return counts;
    }
}
