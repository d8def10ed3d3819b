package dev.resiliency.launcher.cli;

import dev.resiliency.launcher.config.NearestNames;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Explains a mistake on the command line in a few lines: what is wrong, what it may have meant, and where to read more. */
final class UsageErrors implements IParameterExceptionHandler {
    @Override
    public int handleParseException(ParameterException e, String[] arguments) {
        CommandLine command = e.getCommandLine();
        String name = command.getCommandSpec().qualifiedName();
        command.getErr().println(name + ": " + message(e));
        command.getErr().println("'%s --help' explains it".formatted(name));
        return command.getCommandSpec().exitCodeOnInvalidInput();
    }

    private static String message(ParameterException e) {
        if (!(e instanceof UnmatchedArgumentException unmatched)) {
            return String.valueOf(e.getMessage());
        }
        // What follows an option that is not known may be its value, or the command.
        String word = unmatched.getUnmatched().get(0);
        boolean isOption = word.startsWith("-");
        String name = isOption ? word.split("=", 2)[0].replace('_', '-') : word;
        List<String> nearest = NearestNames.of(name, names(e.getCommandLine(), name));
        return "there is no %s '%s'".formatted(isOption ? "option" : "command", word)
                + (nearest.isEmpty() ? "" : ": do you mean " + String.join(", or ", nearest) + "?");
    }

    private static Collection<String> names(CommandLine command, String word) {
        if (!word.startsWith("-")) {
            return command.getSubcommands().keySet();
        }
        return word.startsWith(OriginalOption.PREFIX)
                ? OriginalOptions.all().stream()
                        .map(option -> option.names().get(0))
                        .toList()
                : command.getCommandSpec().options().stream()
                        .filter(option -> !option.hidden())
                        .flatMap(option -> Arrays.stream(option.names()))
                        .filter(name -> name.startsWith("--") && !name.contains("_"))
                        .toList();
    }
}
