package dev.resiliency.inprocess;

import dev.resiliency.inprocess.Interruption.Kind;
import dev.resiliency.inprocess.spi.stack.Standing;
import dev.resiliency.store.IndexSet;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Summarizes why an iteration ended, in a line whose length does not depend on the number of ranks: one entry per kind, and a number of
 * those who have only followed.
 */
final class InterruptionSummary {
    /** The maximum number of characters, so that a line with it fits on a screen. */
    static final int LONGEST = 165;

    /** The maximum number of characters of the ranges. */
    private static final int RANGES = 60;
    /** The maximum number of messages of a kind. */
    private static final int MESSAGES = 4;
    /** The maximum number of messages, and of stacks, on lines of their own. */
    private static final int DETAILS = 5;
    /** The maximum number of characters of each message, the longest for which all fit. */
    private static final List<Integer> LONGEST_MESSAGE = List.of(LONGEST, 100, 60, 40, 25);

    private static final int SHORTEST = 25;
    /** The maximum number of characters of what followers say. */
    private static final int LONGEST_OF_FOLLOWERS = 60;

    /** The package of an exception with which a message begins. */
    private static final Pattern PACKAGE = Pattern.compile("^(?:[a-z_]\\w*\\.)+(?=[A-Z])");

    private InterruptionSummary() {}

    /**
     * Returns, for example, {@code EXCEPTION on rank 2 (no route); TERMINATED on 5 ranks {0-3, 8} (it died); 2 ranks followed
     * (EOFException)}.
     */
    static String of(List<Interruption> interruptions) {
        if (interruptions.isEmpty()) {
            return "an interruption that no rank has recorded";
        }
        Map<Kind, Entry> causes = new EnumMap<>(Kind.class);
        interruptions.forEach(each -> causes.merge(each.kind(), Entry.of(each), Entry::and));
        Map<Kind, Entry> followers = new EnumMap<>(Kind.class);
        for (Kind kind : Kind.values()) {
            Entry entry = kind.isFollowing() && causes.size() > 1 ? causes.remove(kind) : null;
            if (entry != null) {
                followers.put(kind, entry);
            }
        }
        String text = "";
        for (int longest : LONGEST_MESSAGE) {
            for (int others : List.of(longest, SHORTEST)) {
                text = text(causes, followers, longest, others);
                if (text.length() <= LONGEST) {
                    return text;
                }
            }
        }
        return shortened(text, LONGEST - 1);
    }

    /** The first cause says the most. */
    private static String text(Map<Kind, Entry> causes, Map<Kind, Entry> followers, int longest, int others) {
        StringJoiner text = new StringJoiner("; ");
        causes.forEach((kind, entry) -> text.add(kind.of(entry.text(text.length() == 0 ? longest : others))));
        followers.forEach((kind, entry) -> text.add(entry.asFollowers(kind, Math.min(others, LONGEST_OF_FOLLOWERS))));
        return text.toString();
    }

    /**
     * Returns what the summary lacks, a line each: the causes whose messages are cut there, and where ranks stood, such as {@code rank 2
     * stood at LogReg.fault:71 < LogReg.train:28}.
     */
    static List<String> details(List<Interruption> interruptions) {
        String summary = of(interruptions);
        Map<String, Interruption> cut = new LinkedHashMap<>();
        Map<String, IndexSet> stacks = new LinkedHashMap<>();
        for (Interruption each : interruptions) {
            Standing standing = each.standing();
            String path = standing == null ? "" : standing.path();
            if (!path.isEmpty()) {
                stacks.merge(path, IndexSet.of(each.rank()), IndexSet::union);
            }
            if (!each.kind().isFollowing() && !summary.contains(brief(each))) {
                cut.putIfAbsent(each.message(), each);
            }
        }
        Stream<String> causes =
                cut.values().stream().map(each -> each.kind().of("rank " + each.rank()) + " (" + brief(each) + ")");
        Stream<String> places =
                stacks.entrySet().stream().map(stack -> who(stack.getValue()) + " stood at " + stack.getKey());
        return Stream.concat(causes.limit(DETAILS), places.limit(DETAILS)).toList();
    }

    private static String who(IndexSet ranks) {
        return ranks.size() == 1 ? "rank " + ranks.lowest() : "ranks " + shortened(ranks.toString());
    }

    /** Returns the first ranges if there are too many for a line. */
    static String shortened(String ranges) {
        return ranges.length() <= RANGES ? ranges : ranges.substring(0, ranges.lastIndexOf(',', RANGES)) + ", ...}";
    }

    private static String shortened(String message, int longest) {
        return message.length() <= longest ? message : message.substring(0, longest) + "…";
    }

    /** Returns a message without what its stack and its log say as well. */
    private static String brief(Interruption interruption) {
        Standing standing = interruption.standing();
        String message = standing == null ? interruption.message() : standing.brief(interruption.message());
        return PACKAGE.matcher(message).replaceFirst("");
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
        String asFollowers(Kind kind, int longest) {
            String verb = kind == Kind.WAITING ? " waited" : " followed";
            return (ranks.size() == 1 ? "rank " + ranks.lowest() : ranks.size() + " ranks")
                    + verb
                    + (kind == Kind.WAITING ? "" : " (" + shortened(brief(messages.get(0)), longest) + ")");
        }

        String text(int longest) {
            int count = ranks.size();
            String who = count == 1 ? "rank " + ranks.lowest() : count + " ranks " + shortened(ranks.toString());
            if (messages.size() == 1) {
                String message = shortened(brief(messages.get(0)), longest);
                return message.isEmpty() ? who : who + " (" + message + ")";
            }
            StringJoiner said = new StringJoiner("; ", who + " (", isMore ? "; other messages differ)" : ")");
            for (Interruption each : messages) {
                said.add(shortened(brief(each), longest) + " on rank " + each.rank());
            }
            return said.toString();
        }
    }
}
