package dev.resiliency.examples.bench.state;

import dev.resiliency.examples.bench.measure.Median;
import dev.resiliency.state.RecoveryReport.Phases;
import java.util.List;

/** The phases of a recovery, as {@link Phases} has them, in nanoseconds. */
record PhaseNanos(long agree, long connect, long fill, long confirm) {
    /** Of a recovery that has none: it only read a checkpoint. */
    static final PhaseNanos NONE = new PhaseNanos(0, 0, 0, 0);

    static PhaseNanos of(Phases phases) {
        return new PhaseNanos(
                phases.agree().toNanos(),
                phases.connect().toNanos(),
                phases.fill().toNanos(),
                phases.confirm().toNanos());
    }

    /** Returns the medians of each phase. */
    static PhaseNanos medians(List<PhaseNanos> all) {
        return new PhaseNanos(
                (long) Median.of(all, PhaseNanos::agree),
                (long) Median.of(all, PhaseNanos::connect),
                (long) Median.of(all, PhaseNanos::fill),
                (long) Median.of(all, PhaseNanos::confirm));
    }

    /** Returns the four numbers, with spaces between them. */
    String toWords() {
        return agree + " " + connect + " " + fill + " " + confirm;
    }

    /** Reads four words, from the one at this index on. */
    static PhaseNanos parse(String[] words, int from) {
        return new PhaseNanos(
                Long.parseLong(words[from]),
                Long.parseLong(words[from + 1]),
                Long.parseLong(words[from + 2]),
                Long.parseLong(words[from + 3]));
    }
}
