package dev.resiliency.examples.bench.chaos;

import dev.resiliency.state.RecoveryReport.Source;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Checks the steps from which ranks resume: it is the same one on all, the checkpoint never goes back, no step is repeated though a
 * process still held it, and none is skipped. Events of different ranks may arrive in any order. Pure data.
 */
final class StateWatch {
    private final NavigableMap<Integer, List<ChaosEvent.Restored>> recoveries = new TreeMap<>(); // by iteration
    private final NavigableMap<Integer, Integer> onDisk = new TreeMap<>(); // by iteration: the highest known step
    private final Map<Source, Integer> counts = new EnumMap<>(Source.class);

    /** Records that a checkpoint is on disk; returns what is wrong. */
    List<String> saved(ChaosEvent.Saved event) {
        return isOnDisk(event.iteration(), event.step());
    }

    private List<String> isOnDisk(int iteration, int step) {
        onDisk.merge(iteration, step, Math::max);
        return recoveriesIn(recoveries.tailMap(iteration, false))
                .flatMap(later -> goneBack(iteration, step, later))
                .limit(1)
                .toList();
    }

    /** Records that a rank has its state; returns what is wrong. */
    List<String> restored(String name, ChaosEvent.Restored event) {
        List<ChaosEvent.Restored> together = recoveries.computeIfAbsent(event.iteration(), key -> new ArrayList<>());
        together.add(event);
        counts.merge(event.source(), 1, Integer::sum);
        List<String> wrong = new ArrayList<>();
        if (together.get(0).step() != event.step()) {
            wrong.add("in iteration %d one rank resumes from step %d, another one from step %d"
                    .formatted(event.iteration(), together.get(0).step(), event.step()));
        }
        onDisk.headMap(event.iteration()).entrySet().stream()
                .flatMap(earlier -> goneBack(earlier.getKey(), earlier.getValue(), event))
                .limit(1)
                .forEach(wrong::add);
        if (event.source() == Source.CHECKPOINT) {
            wrong.addAll(isOnDisk(event.iteration(), event.step()));
        }
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

    /** Names it if less is read than what an earlier iteration has saved or read. */
    private static Stream<String> goneBack(int iteration, int saved, ChaosEvent.Restored later) {
        return later.source() != Source.CHECKPOINT || later.step() >= saved
                ? Stream.empty()
                : Stream.of("the checkpoint went back: step %d was saved in iteration %d, but iteration %d"
                                .formatted(saved, iteration, later.iteration())
                        + " resumes from step " + later.step());
    }

    /** What was held before others went back to a checkpoint counts for nothing. */
    private boolean isGivenUp(ChaosEvent.Restored event) {
        return recoveriesIn(recoveries.subMap(event.heldIn(), false, event.iteration(), false))
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

    private static Stream<ChaosEvent.Restored> recoveriesIn(Map<Integer, List<ChaosEvent.Restored>> iterations) {
        return iterations.values().stream().flatMap(List::stream);
    }

    /** Returns the highest step that is known to be on disk. */
    int saved() {
        return onDisk.values().stream().mapToInt(Integer::intValue).max().orElse(0);
    }

    /** Returns the highest step that the training is known to have reached. */
    int furthest() {
        return recoveriesIn(recoveries).mapToInt(ChaosEvent.Restored::step).reduce(saved(), Math::max);
    }

    /** Returns how often ranks had their state from each source. */
    Map<Source, Integer> counts() {
        return counts;
    }
}
