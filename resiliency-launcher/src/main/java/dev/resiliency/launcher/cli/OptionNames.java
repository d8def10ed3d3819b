package dev.resiliency.launcher.cli;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * The names of an option that are not in its help: torchrun has underscores instead of dashes, and nvidia-resiliency-ext has both,
 * after {@code --ft-} or {@code --ft_}.
 */
final class OptionNames {
    private static final String PREFIX = "--ft-";

    private OptionNames() {}

    /** Returns a command line in which the options of its command have the names by which they are known; what follows them stays. */
    static String[] normalize(CommandLine program, String... arguments) {
        CommandLine command =
                arguments.length == 0 ? null : program.getSubcommands().get(arguments[0]);
        if (command == null) {
            return arguments;
        }
        List<String> normalized = new ArrayList<>(List.of(arguments));
        int next = 1;
        while (next < arguments.length && arguments[next].startsWith("--") && arguments[next].length() > 2) {
            String[] parts = arguments[next].split("=", 2);
            OptionSpec option = find(command.getCommandSpec(), parts[0]);
            if (option == null) {
                break; // a mistake, which the parser reports
            }
            if (command.getCommandSpec().findOption(parts[0]) == null) {
                normalized.set(next, option.longestName() + (parts.length > 1 ? "=" + parts[1] : ""));
            }
            boolean isFollowedByValue = parts.length == 1 && option.arity().min() > 0;
            next += isFollowedByValue ? 2 : 1;
        }
        return normalized.toArray(String[]::new);
    }

    private static @Nullable OptionSpec find(CommandSpec command, String name) {
        OptionSpec known = command.findOption(name);
        if (known != null) {
            return known;
        }
        String dashes = name.replace('_', '-');
        OptionSpec found = command.findOption(dashes);
        return found == null && dashes.startsWith(PREFIX)
                ? command.findOption("--" + dashes.substring(PREFIX.length()))
                : found;
    }
}
