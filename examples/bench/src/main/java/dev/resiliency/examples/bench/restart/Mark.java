package dev.resiliency.examples.bench.restart;

import dev.resiliency.examples.bench.measure.Stage;
import dev.resiliency.inprocess.RestartReport;
import java.time.Duration;
import java.util.Map;
import java.util.StringJoiner;
import java.util.TreeMap;

/**
 * A line that a rank prints: an event and its {@link System#nanoTime}, which is the same clock in all processes of a
 * host. Plain text, since the first JSON of a process takes as long as a restart.
 */
sealed interface Mark {

    /** The process has come this far on its way into the job. */
    record StageMark(Stage stage, long nanos) implements Mark {}

    /** The function was entered, in a world of this many active ranks. */
    record EntryMark(int iteration, int activeWorldSize, long nanos) implements Mark {}

    /** How far the training has come after the entry. */
    enum Milestone {
        /** This rank can communicate with all others. */
        GROUP,
        /** The first step is done. */
        FIRST_STEP
    }

    /** The training has come this far in an iteration. */
    record ReadyMark(Milestone milestone, int iteration, long nanos) implements Mark {}

    /** The fault is about to happen. */
    record FaultMark(long nanos) implements Mark {}

    /**
     * Report of the rank on its restart.
     *
     * @param interrupted the iteration that ended
     * @param knownAt when it learned of the interruption
     * @param total nanoseconds from that time to its re-entry
     * @param phases nanoseconds by name of the phase
     */
    record RestartMark(int interrupted, long knownAt, long total, Map<String, Long> phases) implements Mark {}

    static RestartMark of(RestartReport report) {
        Map<String, Long> phases = new TreeMap<>();
        for (Map.Entry<RestartReport.Phase, Duration> phase : report.phases().entrySet()) {
            phases.put(phase.getKey().name(), phase.getValue().toNanos());
        }
        return new RestartMark(
                report.interrupted(), report.knownAt(), report.total().toNanos(), phases);
    }

    /**
     * Returns, for example, {@code reached CONNECTED 123}, {@code entered 1 8 123456789}, {@code ready GROUP 1 123},
     * {@code faulted 123}, {@code restarted 0 123456789 123 ABORT=7 STOP=8}.
     */
    default String toLine() {
        StringJoiner line = new StringJoiner(" ");
        if (this instanceof StageMark reached) {
            line.add("reached").add(reached.stage().name()).add("" + reached.nanos());
        } else if (this instanceof EntryMark entered) {
            line.add("entered")
                    .add("" + entered.iteration())
                    .add("" + entered.activeWorldSize())
                    .add("" + entered.nanos());
        } else if (this instanceof ReadyMark ready) {
            line.add("ready")
                    .add(ready.milestone().name())
                    .add("" + ready.iteration())
                    .add("" + ready.nanos());
        } else if (this instanceof FaultMark faulted) {
            line.add("faulted").add("" + faulted.nanos());
        } else if (this instanceof RestartMark restarted) {
            line.add("restarted")
                    .add("" + restarted.interrupted())
                    .add("" + restarted.knownAt())
                    .add("" + restarted.total());
            for (Map.Entry<String, Long> phase : restarted.phases().entrySet()) {
                line.add(phase.getKey() + "=" + phase.getValue());
            }
        }
        return line.toString();
    }

    /**
     * Reads what {@link #toLine} wrote.
     *
     * @throws IllegalArgumentException if it is not such a line
     */
    static Mark parse(String line) {
        String[] words = line.split(" ", -1);
        try {
            return switch (words[0]) {
                case "reached" -> new StageMark(Stage.valueOf(words[1]), Long.parseLong(words[2]));
                case "entered" ->
                    new EntryMark(Integer.parseInt(words[1]), Integer.parseInt(words[2]), Long.parseLong(words[3]));
                case "ready" ->
                    new ReadyMark(Milestone.valueOf(words[1]), Integer.parseInt(words[2]), Long.parseLong(words[3]));
                case "faulted" -> new FaultMark(Long.parseLong(words[1]));
                case "restarted" -> restarted(words);
                default -> throw new IllegalArgumentException("not a mark: " + line);
            };
        } catch (IndexOutOfBoundsException | NumberFormatException e) {
            throw new IllegalArgumentException("not a mark: " + line, e);
        }
    }

    private static RestartMark restarted(String[] words) {
        Map<String, Long> phases = new TreeMap<>();
        for (int i = 4; i < words.length; i++) {
            String[] entry = words[i].split("=", 2);
            phases.put(entry[0], Long.parseLong(entry[1]));
        }
        return new RestartMark(Integer.parseInt(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3]), phases);
    }
}
