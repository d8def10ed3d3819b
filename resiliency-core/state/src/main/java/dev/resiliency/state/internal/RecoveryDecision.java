package dev.resiliency.state.internal;

import dev.resiliency.store.spi.guard.Printable;
import java.util.List;

/**
 * What all ranks do in a recovery.
 *
 * @param kind where the state comes from
 * @param version the state to be held; for a checkpoint, its line is that of the one to be read, and its step negative
 * @param furthest the last step that any rank had completed; negative if none
 * @param goesBack whether ranks take a state from copies: what they do from there on may differ from what they did
 * @param kept the copies to be kept, of a state that can be had from copies alone; the others are dropped
 * @param values the bytes of each value of any length in the state to be held
 * @param reason why the checkpoint is read, or what is wrong; empty if it goes without saying
 */
record RecoveryDecision(
        Kind kind, Version version, long furthest, boolean goesBack, Version kept, List<Long> values, String reason) {
    private static final int FIELDS = 7;

    enum Kind {
        /** Those that do not hold the state receive it from those that do. */
        MEMORY,
        /** All read the checkpoint. */
        CHECKPOINT,
        /** Not all have the same buffers. */
        MISMATCH
    }

    static RecoveryDecision memory(Version version, long furthest, boolean goesBack, Version kept, List<Long> values) {
        return new RecoveryDecision(Kind.MEMORY, version, furthest, goesBack, kept, values, "");
    }

    static RecoveryDecision checkpoint(int iteration, long furthest, String reason) {
        return new RecoveryDecision(
                Kind.CHECKPOINT, Version.ofCheckpoint(iteration, -1), furthest, false, Version.NONE, List.of(), reason);
    }

    static RecoveryDecision mismatch(long furthest, String which) {
        return new RecoveryDecision(Kind.MISMATCH, Version.NONE, furthest, false, Version.NONE, List.of(), which);
    }

    String encode() {
        return kind + " " + version.encode() + " " + furthest + " " + goesBack + " " + kept.encode() + " "
                + Part.encode(values) + " " + reason;
    }

    static RecoveryDecision decode(String text) {
        String[] fields = text.split(" ", FIELDS);
        return new RecoveryDecision(
                Kind.valueOf(fields[0]),
                Version.decode(fields[1]),
                Long.parseLong(fields[2]),
                Boolean.parseBoolean(fields[3]),
                Version.decode(fields[4]),
                Part.decodeSizes(fields[5]),
                Printable.of(fields[6]));
    }

    long step() {
        return version.step();
    }

    /** Returns how many steps must be repeated if the training goes on after this one. */
    long stepsLost(long recovered) {
        return Math.max(0, furthest - recovered);
    }
}
