package dev.resiliency.examples.job;

import dev.resiliency.examples.fault.TrainingFault;
import dev.resiliency.testing.FaultKind;
import java.util.Locale;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** Runs the program that a command describes. */
public final class Program {
    private Program() {}

    /** Executes the command and ends this JVM with its exit code. */
    public static void run(Object command, String... arguments) {
        Locale.setDefault(Locale.ROOT); // programs read the output, too
        System.exit(commandLine(command).execute(arguments));
    }

    /** Returns the command line of a command, with {@code --help}; it reports a user's mistake in one line. */
    public static CommandLine commandLine(Object command) {
        CommandLine commandLine = new CommandLine(command)
                .registerConverter(FaultKind.class, converter(FaultKind::parse))
                .registerConverter(TrainingFault.class, converter(TrainingFault::parse))
                .setParameterExceptionHandler(Program::reportMistake);
        addHelp(commandLine);
        return commandLine;
    }

    private static <T> ITypeConverter<T> converter(Function<String, T> parse) {
        return text -> {
            try {
                return parse.apply(text);
            } catch (IllegalArgumentException e) {
                throw new TypeConversionException(e.getMessage());
            }
        };
    }

    private static void addHelp(CommandLine commandLine) {
        OptionSpec help = OptionSpec.builder("--help")
                .usageHelp(true)
                .description("Show this help and exit.")
                .build();
        commandLine.getCommandSpec().addOption(help);
        commandLine.getSubcommands().values().forEach(Program::addHelp);
    }

    private static int reportMistake(ParameterException e, String... arguments) {
        e.getCommandLine().getErr().println("error: " + e.getMessage() + " (see --help)");
        return CommandLine.ExitCode.USAGE;
    }
}
