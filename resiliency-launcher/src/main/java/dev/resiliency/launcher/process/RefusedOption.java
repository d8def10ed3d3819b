package dev.resiliency.launcher.process;

import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** An option that a JVM refuses, as it does each time: it is of no use to start it again. */
public final class RefusedOption {
    /** With this exit code, and these words. */
    public static final int EXIT_CODE = 1;

    private static final String NO_JVM = "Error: Could not create the Java Virtual Machine.";
    private static final Pattern REFUSAL =
            Pattern.compile("(Unrecognized|Invalid|Conflicting|Improperly specified|Unexpected) .*");

    private RefusedOption() {}

    /** Returns the line in which a JVM that has ended refuses an option; empty if it has not. */
    public static Optional<String> in(List<String> lines) {
        return lines.contains(NO_JVM)
                ? lines.stream().filter(line -> REFUSAL.matcher(line).matches()).findFirst()
                : Optional.empty();
    }
}
