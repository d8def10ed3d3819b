package dev.resiliency.launcher.cli;

import dev.resiliency.launcher.ExitCode;
import dev.resiliency.launcher.rendezvous.NodeRange;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code resiliency scale}. */
@Command(
        name = "scale",
        description =
                "Changes how many nodes take part in a running job, as --nnodes of 'resiliency run' does at its start."
                        + " Surplus nodes leave, those with the highest group ranks first, but not the one that hosts the"
                        + " store. Nodes that wait take part, and so do those that come later, up to MAX. With the restart policy hard,"
                        + " all ranks start again if a node leaves or the world changes its size; otherwise they go on, and"
                        + " WORLD_SIZE stays.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {"", "Example:", "  resiliency scale --rdzv-endpoint host0:29400 --rdzv-id job7 2:4"})
final class ScaleCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create(); // picocli injects the real one

    @Mixin
    private JobOptions job = new JobOptions();

    @Parameters(
            paramLabel = "MIN:MAX",
            converter = NodeCount.Converter.class,
            description = "How many nodes; N for both.")
    private NodeCount nodes = new NodeCount(1, 1);

    @Override
    public Integer call() throws InterruptedException {
        NodeRange range;
        try {
            range = new NodeRange(nodes.min(), nodes.max());
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
        PrintWriter out = spec.commandLine().getOut();
        job.with(control -> out.println("job %s: %s".formatted(job.name(), control.scale(range))));
        out.flush();
        return ExitCode.COMPLETED;
    }
}
