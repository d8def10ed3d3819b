package dev.resiliency.examples.demo;

import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * What the processes of a demo run.
 *
 * @param command a {@link RankCommand}, which has a main method
 * @param arguments before those of the demo
 * @param variables further environment variables
 * @param jvmOptions further options of the JVM
 * @param isChatter whether a line on standard output is a native library's, and no event
 */
public record RankProgram(
        Class<? extends RankCommand> command,
        List<String> arguments,
        Map<String, String> variables,
        List<String> jvmOptions,
        Predicate<String> isChatter) {

    /** Copies the collections. */
    public RankProgram {
        arguments = List.copyOf(arguments);
        variables = Map.copyOf(variables);
        jvmOptions = List.copyOf(jvmOptions);
    }

    /** Returns the program of the training that is written by hand. */
    static RankProgram ofDigits() {
        return new RankProgram(RankCommand.class, List.of(), Map.of(), List.of(), line -> false);
    }
}
