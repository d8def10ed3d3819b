package dev.resiliency.launcher.cli;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The names of an option that are not in its help: torchrun has underscores instead of dashes, and nvidia-resiliency-ext has both,
 * after {@code --ft-}, {@code --ft_} or {@code --ft-param-}; some have another name in both.
 */
final class OptionNames {
    private static final List<String> PREFIXES = List.of("--ft-param-", "--ft-");

    private OptionNames() {}

    /** Returns a command line in which the options of its command have the names by which they are known; what follows them stays. */
    static String[] normalize(CommandLine program, String... arguments) {
        CommandLine command =
                arguments.length == 0 ? null : program.getSubcommands().get(arguments[0]);
        if (command == null) {
            return arguments;
        }
        List<String> normalized = new ArrayList<>(List.of(arguments[0]));
        int next = 1;
        while (next < arguments.length && isOption(arguments[next])) {
            String[] parts = arguments[next].split("=", 2);
            OptionSpec option = find(command.getCommandSpec(), parts[0]);
            if (option == null) {
                break; // a mistake, which the parser reports
            }
            String name = command.getCommandSpec().findOption(parts[0]) == null ? option.longestName() : parts[0];
            boolean isFollowed = parts.length == 1 && next + 1 < arguments.length;
            if (isFollowed && option.arity().min() == 0 && option.arity().max() > 0) {
                // A boolean option of nvidia-resiliency-ext has its value in a word of its own.
                boolean hasValue = BooleanConverter.accepts(arguments[next + 1]);
                normalized.add(hasValue ? name + "=" + arguments[++next] : name);
            } else {
                normalized.add(parts.length > 1 ? name + "=" + parts[1] : name);
                if (isFollowed && option.arity().min() > 0) {
                    normalized.add(arguments[++next]);
                }
            }
            next++;
        }
        normalized.addAll(List.of(arguments).subList(next, arguments.length));
        return normalized.toArray(String[]::new);
    }

    private static boolean isOption(String word) {
        return word.startsWith("-") && !word.equals("-") && !word.equals("--");
    }

    /** Returns the option that has this name, here or there; null if there is none. */
    static @Nullable OptionSpec find(CommandSpec command, String name) {
        OptionSpec known = command.findOption(name);
        if (known != null || !name.startsWith("--")) {
            return known;
        }
        String dashes = name.replace('_', '-');
        for (String prefix : PREFIXES) {
            if (command.findOption(dashes) == null && dashes.startsWith(prefix)) {
                dashes = "--" + dashes.substring(prefix.length());
            }
        }
        return command.findOption(OriginalOptions.target(dashes).orElse(dashes));
    }
}
