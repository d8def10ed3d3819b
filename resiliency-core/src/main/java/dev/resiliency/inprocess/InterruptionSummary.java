package dev.resiliency.inprocess;

import dev.resiliency.inprocess.Interruption.Kind;
import dev.resiliency.store.IndexSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;

/**
 * Summarizes why an iteration ended, in a line whose length does not depend on the number of ranks: one entry per kind.
 */
final class InterruptionSummary {
    /** The maximum number of characters of the ranges. */
    private static final int SHOWN = 120;

    private InterruptionSummary() {}

    /** Returns, for example, {@code EXCEPTION on rank 2 (no route); TERMINATED on {0-3, 8} 5 ranks (it died)}. */
    static String of(List<Interruption> interruptions) {
        if (interruptions.isEmpty()) {
            return "an interruption that no rank has recorded";
        }
        Map<Kind, Entry> entries = new EnumMap<>(Kind.class);
        interruptions.forEach(each -> entries.merge(each.kind(), Entry.of(each), Entry::and));
        StringJoiner text = new StringJoiner("; ");
        entries.forEach((kind, entry) -> text.add(kind.of(entry.toString())));
        return text.toString();
    }

    /** Returns the first ranges if there are too many for a line. */
    static String shortened(String ranges) {
        return ranges.length() <= SHOWN ? ranges : ranges.substring(0, ranges.lastIndexOf(',', SHOWN)) + ", ...}";
    }

    /**
     * All interruptions of one kind.
     *
     * @param message that of the first
     * @param isSame whether all others have the same message
     */
    private record Entry(IndexSet ranks, String message, boolean isSame) {

        static Entry of(Interruption interruption) {
            return new Entry(IndexSet.of(interruption.rank()), interruption.message(), true);
        }

        Entry and(Entry next) {
            return new Entry(ranks.union(next.ranks), message, isSame && message.equals(next.message));
        }

        @Override
        public String toString() {
            int count = ranks.size();
            String who = count == 1 ? "rank " + ranks.lowest() : shortened(ranks.toString()) + " " + count + " ranks";
            String more = isSame ? "" : "; other messages differ";
            return message.isEmpty() && isSame ? who : who + " (" + message + more + ")";
        }
    }
}
