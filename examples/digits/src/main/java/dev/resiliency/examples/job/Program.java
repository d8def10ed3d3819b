package dev.resiliency.examples.job;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.examples.fault.TrainingFault;
import dev.resiliency.testing.FaultKind;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.TypeConversionException;

/** Runs the program that a command describes. */
public final class Program {
    private static final PrintStream OUT = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8);

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
                .setParameterExceptionHandler((e, arguments) -> report(e.getCommandLine(), e))
                .setExecutionExceptionHandler((e, failing, arguments) -> {
                    if (e instanceof Mistake) {
                        return report(failing, e);
                    }
                    throw e;
                });
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

    private static int report(CommandLine commandLine, Exception mistake) {
        commandLine.getErr().println("error: " + mistake.getMessage() + " (see --help)");
        return CommandLine.ExitCode.USAGE;
    }

    /** A mistake of the user, which a command notices when it runs. */
    public static final class Mistake extends RuntimeException {
        private static final long serialVersionUID = 1;

        /** Creates it with what the user reads. */
        public Mistake(@Nullable String message) {
            super(message);
        }
    }

    /** Requires of the user what must hold; the message says what does not. */
    public static void require(boolean condition, String message) {
        if (!condition) {
            throw new Mistake(message);
        }
    }

    /** Prints a line on standard output, at once. */
    public static void say(String line) {
        OUT.println(line);
    }

    /** Returns standard output in UTF-8, which is flushed after each line. */
    public static PrintStream out() {
        return OUT;
    }
}
