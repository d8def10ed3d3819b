package dev.resiliency.examples.fault;

import dev.resiliency.testing.FaultKind;
import dev.resiliency.testing.FaultKind.Effect;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;

/** Lists the kinds of faults at the end of the help, by effect, each with its description. */
public final class FaultKindsInHelp implements IModelTransformer {
    /** For picocli. */
    public FaultKindsInHelp() {}

    @Override
    public CommandSpec transform(CommandSpec command) {
        List<String> footer = new ArrayList<>(List.of(command.usageMessage().footer()));
        footer.addAll(List.of("", "Kinds of faults; the other ranks survive each of them:"));
        for (Effect effect : Effect.values()) {
            footer.addAll(List.of("", " " + heading(effect)));
            for (FaultKind kind : FaultKind.values()) {
                if (kind.effect() == effect) {
                    footer.add("  %-16s %s".formatted(kind, kind.description()));
                }
            }
        }
        command.usageMessage().footer(footer.toArray(String[]::new));
        return command;
    }

    private static String heading(Effect effect) {
        return switch (effect) {
            case RESTART -> "The rank restarts, too:";
            case DEPARTURE -> "The rank leaves the job:";
            case DEATH -> "The process of the rank ends:";
            case SILENCE -> "The rank is silent for good:";
        };
    }
}
