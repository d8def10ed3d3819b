package dev.resiliency.examples.bench.restart;

import dev.resiliency.examples.bench.restart.Mark.Kind;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;

/** The marks of all processes of a job, which are numbered in the order of their start. Pure data. */
final class MarkBoard {
    private final Map<Kind, NavigableMap<Integer, Map<Integer, Mark>>> marks =
            new EnumMap<>(Kind.class); // by iteration and process

    void apply(int process, Mark mark) {
        marks.computeIfAbsent(mark.kind(), key -> new TreeMap<>())
                .computeIfAbsent(mark.iteration(), key -> new HashMap<>())
                .put(process, mark);
    }

    /** Returns the marks of a kind in an iteration, by process. */
    Map<Integer, Mark> of(Kind kind, int iteration) {
        return byIteration(kind).getOrDefault(iteration, Map.of());
    }

    private NavigableMap<Integer, Map<Integer, Mark>> byIteration(Kind kind) {
        return marks.getOrDefault(kind, new TreeMap<>());
    }

    /** Returns when the fault happened; empty before. */
    OptionalLong faultedAt() {
        return of(Kind.FAULT, 0).values().stream().mapToLong(Mark::nanos).findFirst();
    }

    /** Returns whether a process has come this far on its way into the job. */
    boolean hasReached(Kind stage, int process) {
        return of(stage, 0).containsKey(process);
    }

    /** Returns whether each of these processes has done a step in this iteration; others, such as a spare, count for none. */
    boolean haveStepped(int iteration, Set<Integer> processes) {
        return of(Kind.FIRST_STEP, iteration).keySet().containsAll(processes);
    }

    /** Returns the first iteration after this one that as many active ranks have entered, all of them together. */
    OptionalInt full(int after, int activeRanks) {
        return byIteration(Kind.ENTERED).tailMap(after, false).entrySet().stream()
                .filter(iteration -> iteration.getValue().size() == activeRanks
                        && iteration.getValue().values().stream()
                                .allMatch(entry -> entry.value(Mark.WORLD) == activeRanks))
                .mapToInt(Map.Entry::getKey)
                .findFirst();
    }
}
