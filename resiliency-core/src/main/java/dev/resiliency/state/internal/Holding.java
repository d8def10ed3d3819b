package dev.resiliency.state.internal;

import org.jspecify.annotations.Nullable;

/**
 * What a rank holds in memory when a recovery begins.
 *
 * @param rank its initial rank, for messages
 * @param isWhole whether its buffers hold exactly the state of {@code step}
 * @param line the iteration in which its state was last read from a checkpoint; negative if it never had any
 * @param step the last step that it had completely; negative if none
 * @param layout the fingerprint of its layout
 * @param peer where it serves its state; null if it cannot
 */
record Holding(
        int rank,
        boolean isWhole,
        int line,
        long step,
        String layout,
        @Nullable Peer peer) {
    private static final int FIELDS = 6;

    String encode() {
        return rank + " " + isWhole + " " + line + " " + step + " " + layout + " "
                + (peer == null ? "" : peer.encode());
    }

    static Holding decode(String text) {
        String[] fields = text.split(" ", FIELDS);
        return new Holding(
                Integer.parseInt(fields[0]),
                Boolean.parseBoolean(fields[1]),
                Integer.parseInt(fields[2]),
                Long.parseLong(fields[3]),
                fields[4],
                fields[5].isEmpty() ? null : Peer.decode(fields[5]));
    }

    /** Returns whether it is a complete state, of this line and step. */
    boolean isWholeAt(int otherLine, long otherStep) {
        return isWhole && line == otherLine && step == otherStep;
    }
}
