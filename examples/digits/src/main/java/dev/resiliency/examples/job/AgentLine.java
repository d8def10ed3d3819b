package dev.resiliency.examples.job;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line in which an agent says what it has seen or decided, as far as a program wants to know.
 *
 * @param kind what it is about
 * @param number the process id, or the number of the cycle; 0 for a node
 * @param process with {@link Kind#RUNS} what the agent calls the process, such as {@code rank 3} or {@code spare 1.2}; else empty
 * @param text the line without its time and the name of the agent
 */
public record AgentLine(Kind kind, long number, String process, String text) {
    private static final Pattern OWN = Pattern.compile("\\S+ \\S+ \\[agent of \\S+] (.*)");

    /** What a line may be about. */
    public enum Kind {
        /** A process runs. */
        RUNS("process (\\d+) runs (rank \\d+|spare [\\d.]+).*"),
        /** A process has ended. */
        ENDED("(?:rank \\d+|spare [\\d.]+) \\(process (\\d+)\\) (?:was ended|exited) .*"),
        /** A node is lost; only the agent with the lowest number says so. */
        NODE_LOST("(?:the former agent of )?node .* is lost: .*"),
        /** A node has come late, or again; only the agent with the lowest number says so. */
        NODE_CAME("node .* has joined, as group rank .*"),
        /** All ranks of all nodes start again. */
        CYCLE("cycle (\\d+): .*");

        private final Pattern form;

        Kind(String form) {
            this.form = Pattern.compile(form);
        }
    }

    /** Reads a line of an agent's standard error; empty if it is about something else, or one of its ranks has written it. */
    public static Optional<AgentLine> parse(String line) {
        Matcher own = OWN.matcher(line);
        if (!own.matches()) {
            return Optional.empty();
        }
        String text = own.group(1);
        for (Kind kind : Kind.values()) {
            Matcher matcher = kind.form.matcher(text);
            if (matcher.matches()) {
                long number = matcher.groupCount() > 0 ? Long.parseLong(matcher.group(1)) : 0;
                String process = matcher.groupCount() > 1 ? matcher.group(2) : "";
                return Optional.of(new AgentLine(kind, number, process, text));
            }
        }
        return Optional.empty();
    }
}
