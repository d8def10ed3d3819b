package dev.resiliency.launcher.cli;

import dev.resiliency.store.spi.StoreServerProgram;
import java.io.PrintWriter;
import java.util.Objects;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
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
        CommandLine program = spec.root().commandLine();
        addOptions(Objects.requireNonNull(program.getSubcommands().get(StoreCommand.NAME))
                .getCommandSpec());
        PrintWriter out = spec.commandLine().getOut();
        out.print(AutoComplete.bash("resiliency", program));
        out.flush();
    }

    /** The command passes its options on as they are, so its specification has none. */
    private static void addOptions(CommandSpec store) {
        for (StoreServerProgram.Option option : StoreServerProgram.find().options()) {
            store.addOption(OptionSpec.builder(option.name())
                    .arity(option.hasValue() ? "1" : "0")
                    .type(option.hasValue() ? String.class : boolean.class)
                    .build());
        }
    }
}
