package dev.resiliency.examples.demo;

import java.util.Arrays;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A fault to inject.
 *
 * @param kind what happens
 * @param rank the initial rank that it happens to
 * @param step the step at whose beginning it happens; the first step is 1
 */
record Fault(Kind kind, int rank, int step) {
    private static final Pattern SYNTAX = Pattern.compile("([^:@]+):(\\d{1,9})@(\\d{1,9})");

    /** What can be injected. */
    enum Kind {
        /** The training code throws. */
        EXCEPTION,
        /** The process is killed with SIGKILL. */
        KILL;

        /** As a user writes it. */
        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }

        private static Kind parse(String text) {
            return Arrays.stream(values())
                    .filter(kind -> kind.toString().equals(text))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("'" + text + "' is no kind of fault: use "
                            + Arrays.stream(values()).map(Kind::toString).collect(Collectors.joining(" or "))));
        }
    }

    /**
     * Reads {@code KIND:RANK@STEP}.
     *
     * @throws IllegalArgumentException if it is anything else; the message is for a user
     */
    static Fault parse(String text) {
        Matcher matcher = SYNTAX.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException("'" + text + "' is not KIND:RANK@STEP, such as kill:1@600");
        }
        return new Fault(
                Kind.parse(matcher.group(1)), Integer.parseInt(matcher.group(2)), Integer.parseInt(matcher.group(3)));
    }

    /** {@code KIND:RANK@STEP}. */
    @Override
    public String toString() {
        return kind + ":" + rank + "@" + step;
    }
}
