package dev.resiliency.state.internal;

import java.util.Comparator;

/**
 * Identifies the contents of a state: of two, the larger one counts.
 *
 * @param line the iteration in which the state was last read from a checkpoint: states of an earlier one have been given
 *     up, even if they are further. Negative if there is none
 * @param branch the iteration in which ranks last went back to a copy; that of the line if they never did. Steps that are
 *     repeated may differ from what they were, and must not be mixed with it
 * @param step the last step that is complete; negative if there is none
 */
record Version(int line, int branch, long step) implements Comparable<Version> {
    static final Version NONE = new Version(-1, -1, -1);

    private static final int FIELDS = 3;
    private static final Comparator<Version> ORDER = Comparator.comparingInt(Version::line)
            .thenComparingInt(Version::branch)
            .thenComparingLong(Version::step);

    /** Returns what was read from a checkpoint. */
    static Version ofCheckpoint(int iteration, long step) {
        return new Version(iteration, iteration, step);
    }

    Version at(long otherStep) {
        return new Version(line, branch, otherStep);
    }

    Version branchedIn(int iteration) {
        return new Version(line, iteration, step);
    }

    @Override
    public int compareTo(Version other) {
        return ORDER.compare(this, other);
    }

    String encode() {
        return line + "/" + branch + "/" + step;
    }

    static Version decode(String text) {
        String[] fields = text.split("/", FIELDS);
        return new Version(Integer.parseInt(fields[0]), Integer.parseInt(fields[1]), Long.parseLong(fields[2]));
    }
}
