package dev.resiliency.examples.demo;

import dev.resiliency.inprocess.fault.FaultKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;

/** Lists the kinds of faults at the end of the help, each with its sentence. */
final class FaultKindsInHelp implements IModelTransformer {

    @Override
    public CommandSpec transform(CommandSpec command) {
        List<String> footer = new ArrayList<>(List.of(command.usageMessage().footer()));
        footer.addAll(List.of("", "Kinds of faults, and what becomes of the rank; all others go on in each case:", ""));
        Arrays.stream(FaultKind.values()).map(FaultKindsInHelp::line).forEach(footer::add);
        command.usageMessage().footer(footer.toArray(String[]::new));
        return command;
    }

    private static String line(FaultKind kind) {
        String end = switch (kind.effect()) {
            case RESTART -> "it restarts too";
            case DEPARTURE -> "it leaves the job";
            case DEATH -> "its process ends";
            case SILENCE -> "it is not heard of any more";
        };
        return "  %-16s %s: %s".formatted(kind, kind.description(), end);
    }
}
