package dev.resiliency.examples.bench.restart;

import java.util.HashMap;
import java.util.Map;
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
        /** This rank can communicate with all others, and has its state from them, if it had none: {@link #FROM_PEERS}. */
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

    /** How long the recovery took, in nanoseconds. */
    static final String FROM_PEERS = "peers";

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
        private final Map<At, Mark> marks = new HashMap<>();

        private record At(Kind kind, int iteration, int process) {}

        void apply(int process, Mark mark) {
            marks.put(new At(mark.kind, mark.iteration, process), mark);
        }

        /** Returns the marks of a kind in an iteration, by process. */
        Map<Integer, Mark> of(Kind kind, int iteration) {
            Map<Integer, Mark> found = new HashMap<>();
            marks.forEach((at, mark) -> {
                if (at.kind == kind && at.iteration == iteration) {
                    found.put(at.process, mark);
                }
            });
            return found;
        }

        /** Returns when the fault happened; empty before. */
        OptionalLong faultedAt() {
            return of(Kind.FAULT, 0).values().stream().mapToLong(Mark::nanos).findFirst();
        }

        /** Returns whether each of these processes has done a step in this iteration; others, such as a spare, count for none. */
        boolean haveStepped(int iteration, Set<Integer> processes) {
            return of(Kind.FIRST_STEP, iteration).keySet().containsAll(processes);
        }

        /** Returns the first iteration after the fault that as many active ranks have entered, all of them together. */
        OptionalInt full(int activeRanks) {
            return marks.keySet().stream()
                    .mapToInt(At::iteration)
                    .filter(iteration -> iteration > 0 && isFull(of(Kind.ENTERED, iteration), activeRanks))
                    .min();
        }

        private static boolean isFull(Map<Integer, Mark> entered, int activeRanks) {
            return entered.size() == activeRanks
                    && entered.values().stream().allMatch(entry -> entry.value(WORLD) == activeRanks);
        }
    }
}
