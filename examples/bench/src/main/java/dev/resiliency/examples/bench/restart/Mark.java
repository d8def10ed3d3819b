package dev.resiliency.examples.bench.restart;

import static java.util.Map.entry;

import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.state.RecoveryReport;
import java.util.Map;
import java.util.TreeMap;

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
        /** The program calls the wrapper. */
        STARTED,
        /** The process is connected to the store. */
        CONNECTED,
        /** Its monitor process watches it. */
        MONITORED,
        /** The function was entered, in a {@link #WORLD} of active ranks. */
        ENTERED,
        /** The rank has its state; the phases of the recovery, in nanoseconds. */
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

    /** 1 if the rank has its state from others. */
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
        RecoveryReport.Phases phases = report.phases();
        return new Mark(
                Kind.RECOVERED,
                iteration,
                System.nanoTime(),
                Map.ofEntries(
                        entry(FROM_PEERS, report.source() == RecoveryReport.Source.PEERS ? 1L : 0L),
                        entry("all", report.duration().toNanos()),
                        entry("agree", phases.agree().toNanos()),
                        entry("connect", phases.connect().toNanos()),
                        entry("bytes", phases.fill().toNanos()),
                        entry("digest", phases.confirm().toNanos())));
    }

    long value(String name) {
        return values.getOrDefault(name, 0L);
    }

    /** Returns, for example, {@code RESTARTED 0 123456789 ABORT=7 STOP=8}. */
    String toLine() {
        StringBuilder line = new StringBuilder()
                .append(kind)
                .append(' ')
                .append(iteration)
                .append(' ')
                .append(nanos);
        new TreeMap<>(values)
                .forEach((name, value) ->
                        line.append(' ').append(name).append('=').append(value.longValue()));
        return line.toString();
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
}
