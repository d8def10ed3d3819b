package dev.resiliency.launcher.cli;

import dev.resiliency.launcher.ExitCode;
import dev.resiliency.store.spi.guard.Printable;
import java.util.Objects;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The program {@code resiliency}. */
@Command(
        name = "resiliency",
        description = "Keeps training processes running.",
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = {
            RunCommand.class,
            SuperviseCommand.class,
            StatusCommand.class,
            EventsCommand.class,
            LogsCommand.class,
            ReportCommand.class,
            AttributionCommand.class,
            DrainCommand.class,
            ScaleCommand.class,
            RestartCommand.class,
            StoreCommand.class,
            DoctorCommand.class,
            CompletionCommand.class
        },
        footer = {"", "'resiliency COMMAND --help' explains a command."})
public final class ResiliencyCommand implements Runnable {
    private static final int WIDTH = 110;

    @Spec
    private CommandSpec spec = CommandSpec.create(); // picocli injects the real one

    private ResiliencyCommand() {}

    /** Runs the command line; exits with its code. */
    public static void main(String[] arguments) {
        System.exit(execute(commandLine(), arguments));
    }

    static int execute(CommandLine program, String... arguments) {
        return program.execute(OptionNames.normalize(program, arguments));
    }

    static CommandLine commandLine() {
        CommandLine program = new CommandLine(new ResiliencyCommand());
        program.setExpandAtFiles(false); // they belong to the command that is supervised
        program.setUsageHelpWidth(WIDTH);
        // What follows the command belongs to it.
        subcommand(program, "run").setStopAtPositional(true).setOverwrittenOptionsAllowed(true); // as torchrun
        subcommand(program, "supervise").setStopAtPositional(true);
        subcommand(program, "doctor").setStopAtPositional(true);
        subcommand(program, "store").setUnmatchedOptionsArePositionalParams(true);
        OriginalOptions.addTo(subcommand(program, "run").getCommandSpec());
        program.setParameterExceptionHandler(new UsageErrors());
        program.setExecutionExceptionHandler((failure, command, parsed) -> {
            command.getErr()
                    .println("resiliency " + command.getCommandName() + ": "
                            + Printable.of(String.valueOf(failure.getMessage())));
            return ExitCode.FAILED;
        });
        return program;
    }

    private static CommandLine subcommand(CommandLine program, String name) {
        return Objects.requireNonNull(program.getSubcommands().get(name), name);
    }

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing");
    }
}
