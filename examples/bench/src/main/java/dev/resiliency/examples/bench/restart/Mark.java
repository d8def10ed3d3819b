package dev.resiliency.examples.bench.restart;

import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.state.RecoveryReport;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A line that a rank prints: how far it has come. Plain text, since the first JSON of a process takes as long as a restart.
 *
 * @param iteration in which it was; 0 where there is none
 * @param nanos {@link System#nanoTime}, which is the same clock in all processes of a host
 * @param values further numbers, by name
 */
record Mark(Kind kind, int iteration, long nanos, Map<String, Long> values) {

    /** What has happened. */
    enum Kind {
        /** The function was entered, in a {@link #WORLD} of active ranks. */
        ENTERED,
        /** The rank has its state: {@link #FROM_PEERS}. */
        RECOVERED,
        /** This rank can communicate with all others. */
        GROUP,
        /** The first step is done. */
        FIRST_STEP,
        /** The fault is about to happen. */
        FAULT,
        /** The iteration was interrupted, as this rank learned at that time; the phases of the restart, in nanoseconds. */
        RESTARTED
    }

    /** The number of active ranks. */
    static final String WORLD = "world";

    /** How long the recovery took, in nanoseconds, if the rank has its state from others. */
    static final String FROM_PEERS = "peers";

    static Mark now(Kind kind, int iteration) {
        return new Mark(kind, iteration, System.nanoTime(), Map.of());
    }

    static Mark entered(int iteration, int activeWorldSize) {
        return new Mark(Kind.ENTERED, iteration, System.nanoTime(), Map.of(WORLD, (long) activeWorldSize));
    }

    static Mark of(RestartReport report) {
        Map<String, Long> phases = new TreeMap<>();
        report.phases().forEach((phase, duration) -> phases.put(phase.name(), duration.toNanos()));
        return new Mark(Kind.RESTARTED, report.interrupted(), report.knownAt(), phases);
    }

    static Mark of(int iteration, RecoveryReport report) {
        Map<String, Long> values = report.source() == RecoveryReport.Source.PEERS
                ? Map.of(FROM_PEERS, report.duration().toNanos())
                : Map.of();
        return new Mark(Kind.RECOVERED, iteration, System.nanoTime(), values);
    }

    long value(String name) {
        return values.getOrDefault(name, 0L);
    }

    /** Returns, for example, {@code RESTARTED 0 123456789 ABORT=7 STOP=8}. */
    String toLine() {
        return Stream.concat(Stream.of(kind, iteration, nanos), new TreeMap<>(values).entrySet().stream())
                .map(Object::toString) // of an entry: with an equals sign
                .collect(Collectors.joining(" "));
    }

    /**
     * Reads what {@link #toLine} wrote.
     *
     * @throws IllegalArgumentException if it is not such a line
     */
    static Mark parse(String line) {
        String[] words = line.split(" ", -1);
        Map<String, Long> values = new TreeMap<>();
        try {
            for (int i = 3; i < words.length; i++) {
                int end = words[i].indexOf('=');
                values.put(words[i].substring(0, end), Long.parseLong(words[i].substring(end + 1)));
            }
            return new Mark(Kind.valueOf(words[0]), Integer.parseInt(words[1]), Long.parseLong(words[2]), values);
        } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
            throw new IllegalArgumentException("not a mark: " + line, e);
        }
    }

    /** The marks of all processes of a job, which are numbered in the order of their start. Pure data. */
    static final class Board {
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
}
