package dev.resiliency.examples.job;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A line that a process has printed, as its agent passes it on: {@code [rank 3] step 100}.
 *
 * @param process what the agent calls the process: {@code rank 3} or {@code spare 1.2}
 * @param text what the process has printed
 */
public record NamedLine(String process, String text) {
    private static final Pattern FORM = Pattern.compile("\\[(rank \\d+|spare [\\d.]+)] (.*)");

    /** Reads a line of an agent's standard output; empty if it is no such line. */
    public static Optional<NamedLine> parse(String line) {
        Matcher matcher = FORM.matcher(line);
        return matcher.matches() ? Optional.of(new NamedLine(matcher.group(1), matcher.group(2))) : Optional.empty();
    }
}
