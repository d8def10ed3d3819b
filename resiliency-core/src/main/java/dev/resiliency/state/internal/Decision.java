package dev.resiliency.state.internal;

/**
 * What all ranks do in a recovery.
 *
 * @param kind where the state comes from
 * @param line of the state to be held; for a checkpoint, that of the one to be read
 * @param step of the state to be held; negative for a checkpoint
 * @param furthest the last step that any rank had completed; negative if none
 * @param reason why the checkpoint is read, or what is wrong; empty if it goes without saying
 */
record Decision(Kind kind, int line, long step, long furthest, String reason) {
    private static final int FIELDS = 5;

    enum Kind {
        /** Those that do not hold the state receive it from those that do. */
        MEMORY,
        /** All read the checkpoint. */
        CHECKPOINT,
        /** Not all have the same buffers. */
        MISMATCH
    }

    String encode() {
        return kind + " " + line + " " + step + " " + furthest + " " + reason;
    }

    static Decision decode(String text) {
        String[] fields = text.split(" ", FIELDS);
        return new Decision(
                Kind.valueOf(fields[0]),
                Integer.parseInt(fields[1]),
                Long.parseLong(fields[2]),
                Long.parseLong(fields[3]),
                fields[4]);
    }

    /** Returns whether a rank with this holding has the state already. */
    boolean isMetBy(Holding holding) {
        return kind == Kind.MEMORY && holding.isWholeAt(line, step);
    }

    /** Returns how many steps must be repeated if the training goes on after this one. */
    long stepsLost(long recovered) {
        return Math.max(0, furthest - recovered);
    }

    /** Returns the decision to read the checkpoint instead. */
    Decision insteadCheckpoint(int iteration, String why) {
        return new Decision(Kind.CHECKPOINT, iteration, -1, furthest, why);
    }
}
