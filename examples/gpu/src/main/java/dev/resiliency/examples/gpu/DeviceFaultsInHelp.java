package dev.resiliency.examples.gpu;

import dev.resiliency.examples.fault.FaultKindsInHelp;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.IModelTransformer;
import picocli.CommandLine.Model.CommandSpec;

/** Lists the faults of any training at the end of the help, followed by those of GPUs. */
final class DeviceFaultsInHelp implements IModelTransformer {

    @Override
    public CommandSpec transform(CommandSpec command) {
        new FaultKindsInHelp().transform(command);
        List<String> footer = new ArrayList<>(List.of(command.usageMessage().footer()));
        footer.addAll(List.of("", " The GPU of the rank fails at a step, and the rank is lost:"));
        for (DeviceFault.Kind kind : DeviceFault.Kind.values()) {
            footer.add("  %-16s %s".formatted(kind, kind.description()));
        }
        command.usageMessage().footer(footer.toArray(String[]::new));
        return command;
    }
}
