package dev.resiliency.launcher.attribution;

import org.jspecify.annotations.Nullable;

/**
 * Where a training has gone on after a restart.
 *
 * @param from the step that it was at before
 * @param to the first step after the restart
 * @param isLeast whether it may have been further than {@code from}: a rank that is killed has noted its last step a moment before
 */
record Resumption(long from, long to, boolean isLeast) {
    private static final String UNKNOWN = "how many steps are repeated is unknown: ";

    /** Returns why nobody knows it. */
    static String unknown(boolean areStepsTold) {
        return UNKNOWN + (areStepsTold ? "no rank has made a step yet" : "the training does not call step");
    }

    /** Returns what is known of a restart with this, too, or of the one before it. */
    Resumption and(Resumption next) {
        return new Resumption(Math.max(from, next.from), next.to, isLeast && next.isLeast);
    }

    /**
     * Returns how many steps that were complete are made again; null if it is not known. The step that the training was at was begun,
     * and not complete.
     */
    @Nullable
    Long repeated() {
        return isLeast && from <= to ? null : (Long) Math.max(0, from - to);
    }

    /** Returns the same as text. */
    String text() {
        if (from <= to) {
            return isLeast
                    ? UNKNOWN + "all ranks were killed, and none has noted its very last step"
                    : "no step repeated";
        }
        return "%s%d step%s repeated (from %d to %d)"
                .formatted(isLeast ? "at least " : "", from - to, from - to == 1 ? "" : "s", from, to);
    }

    /** Returns what a node has seen of it, as the end of a sentence. */
    String seen() {
        return "goes on at step %d, and was at step %d%s before".formatted(to, from, isLeast ? " or later" : "");
    }
}
