package dev.resiliency.launcher.attribution;

import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/**
 * Where a training has gone on after one restart.
 *
 * @param cycle into which it has led
 * @param iteration into which it has led; {@link Fact#NONE} for processes without a wrapper
 * @param from the step that it was at before
 * @param to the first step after the restart
 * @param isLeast whether it may have been further than {@code from}: a rank that is killed has noted its last step a moment before
 */
record Resumption(int cycle, int iteration, long from, long to, boolean isLeast) {
    static final Comparator<Resumption> ORDER =
            Comparator.comparingInt(Resumption::cycle).thenComparingInt(Resumption::iteration);

    /** Returns what is known of the restart with what another process has seen of it, too. */
    Resumption and(Resumption other) {
        return new Resumption(
                cycle, iteration, Math.max(from, other.from), Math.min(to, other.to), isLeast && other.isLeast);
    }

    /**
     * Returns how many steps that were complete are made again; null if it is not known. The step that the training was at was begun,
     * and not complete.
     */
    @Nullable
    Long repeated() {
        return isLeast && from <= to ? null : (Long) Math.max(0, from - to);
    }

    /** Returns what a node has seen of it, as the end of a sentence. */
    String seen() {
        return "goes on at step %d, and was at step %d%s before".formatted(to, from, isLeast ? " or later" : "");
    }
}
