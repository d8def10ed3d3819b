package dev.resiliency.inprocess.spi.refound;

import dev.resiliency.store.IndexSet;
import java.util.StringJoiner;

/** Encodes a set of ranks as a short text without blanks: {@code 0-3,8}, or {@code -} if it is empty. */
public final class Ranges {
    private static final String NONE = "-";

    private Ranges() {}

    /** Returns the text of a set. */
    public static String write(IndexSet ranks) {
        if (ranks.isEmpty()) {
            return NONE;
        }
        StringJoiner text = new StringJoiner(",");
        for (int run = 0; run < ranks.runs(); run++) {
            int first = ranks.first(run);
            int last = ranks.end(run) - 1;
            text.add(first == last ? Integer.toString(first) : first + "-" + last);
        }
        return text.toString();
    }

    /** Reads what {@link #write} has written. */
    public static IndexSet read(String text) {
        if (text.equals(NONE)) {
            return IndexSet.empty();
        }
        String[] runs = text.split(",", -1);
        int[] bounds = new int[2 * runs.length];
        for (int run = 0; run < runs.length; run++) {
            String[] ends = runs[run].split("-", 2);
            bounds[2 * run] = Integer.parseInt(ends[0]);
            bounds[2 * run + 1] = Integer.parseInt(ends[ends.length - 1]) + 1;
        }
        return IndexSet.ofRuns(bounds);
    }
}
