package dev.resiliency.launcher.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code resiliency attribution}. */
@Command(
        name = "attribution",
        description = "Finds out why cycles have ended, from their logs.",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "COMMAND",
        subcommands = AttributionServerCommand.class)
final class AttributionCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create(); // picocli injects the real one

    @Override
    public void run() {
        throw new ParameterException(spec.commandLine(), "a command is missing: serve");
    }
}
