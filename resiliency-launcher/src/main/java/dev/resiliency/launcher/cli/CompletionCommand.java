package dev.resiliency.launcher.cli;

import java.io.PrintWriter;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code resiliency completion}. */
@Command(
        name = "completion",
        description = "Prints a script that completes commands and options in bash and zsh.",
        mixinStandardHelpOptions = true,
        footer = {"", "  source <(resiliency completion)"})
final class CompletionCommand implements Runnable {
    @Spec
    private CommandSpec spec = CommandSpec.create(); // picocli injects the real one

    @Override
    public void run() {
        PrintWriter out = spec.commandLine().getOut();
        out.print(AutoComplete.bash("resiliency", spec.root().commandLine()));
        out.flush();
    }
}
