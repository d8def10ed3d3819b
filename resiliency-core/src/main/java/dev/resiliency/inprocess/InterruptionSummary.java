package dev.resiliency.inprocess;

import dev.resiliency.inprocess.Interruption.Kind;
import dev.resiliency.store.IndexSet;
import java.util.ArrayList;
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
    /** The maximum number of messages of a kind. */
    private static final int MESSAGES = 4;
    /** The maximum number of characters of each, if there are several. */
    private static final int LONGEST_OF_SEVERAL = 160;
    /** The maximum number of characters of what followers say. */
    private static final int LONGEST_OF_FOLLOWERS = 60;

    private InterruptionSummary() {}

    /**
     * Returns, for example, {@code EXCEPTION on rank 2 (no route); TERMINATED on {0-3, 8} 5 ranks (it died); 2 ranks followed
     * (EOFException)}.
     */
    static String of(List<Interruption> interruptions) {
        if (interruptions.isEmpty()) {
            return "an interruption that no rank has recorded";
        }
        Map<Kind, Entry> entries = new EnumMap<>(Kind.class);
        interruptions.forEach(each -> entries.merge(each.kind(), Entry.of(each), Entry::and));
        Entry followers = entries.size() > 1 ? entries.remove(Kind.CONNECTION_LOST) : null;
        StringJoiner text = new StringJoiner("; ");
        entries.forEach((kind, entry) -> text.add(kind.of(entry.toString())));
        if (followers != null) {
            text.add(followers.asFollowers());
        }
        return text.toString();
    }

    /** Returns the first ranges if there are too many for a line. */
    static String shortened(String ranges) {
        return ranges.length() <= SHOWN ? ranges : ranges.substring(0, ranges.lastIndexOf(',', SHOWN)) + ", ...}";
    }

    private static String shortened(String message, int longest) {
        return message.length() <= longest ? message : message.substring(0, longest) + "…";
    }

    /**
     * All interruptions of one kind.
     *
     * @param messages the first few that differ, each with the rank that it is about
     * @param isMore whether there are others
     */
    private record Entry(IndexSet ranks, List<Interruption> messages, boolean isMore) {

        static Entry of(Interruption interruption) {
            return new Entry(IndexSet.of(interruption.rank()), List.of(interruption), false);
        }

        /** Whoever has lost a peer may be the first to say so: the cause is what another one says. */
        Entry and(Entry next) {
            List<Interruption> known = new ArrayList<>(messages);
            boolean isKnown = true;
            for (Interruption each : next.messages) {
                if (known.stream().noneMatch(other -> other.message().equals(each.message()))) {
                    known.add(each);
                    isKnown = false;
                }
            }
            boolean isTooMany = !isKnown && known.size() > MESSAGES;
            return new Entry(
                    ranks.union(next.ranks),
                    isTooMany ? messages : List.copyOf(known),
                    isMore || next.isMore || isTooMany);
        }

        /** Their own messages say what the cause has said better. */
        String asFollowers() {
            return (ranks.size() == 1 ? "rank " + ranks.lowest() : ranks.size() + " ranks") + " followed ("
                    + shortened(messages.get(0).message(), LONGEST_OF_FOLLOWERS) + ")";
        }

        @Override
        public String toString() {
            int count = ranks.size();
            String who = count == 1 ? "rank " + ranks.lowest() : shortened(ranks.toString()) + " " + count + " ranks";
            if (messages.size() == 1) {
                String message = messages.get(0).message();
                return message.isEmpty() ? who : who + " (" + message + ")";
            }
            StringJoiner said = new StringJoiner("; ", who + " (", isMore ? "; other messages differ)" : ")");
            for (Interruption each : messages) {
                said.add(shortened(each.message(), LONGEST_OF_SEVERAL) + " on rank " + each.rank());
            }
            return said.toString();
        }
    }
}
