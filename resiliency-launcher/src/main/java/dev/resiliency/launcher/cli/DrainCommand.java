package dev.resiliency.launcher.cli;

import dev.resiliency.launcher.ExitCode;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code resiliency drain}. */
@Command(
        name = "drain",
        description =
                "Asks the agent of a node to end its ranks with SIGTERM and its grace, and to leave the job with exit code"
                        + " 0. The other nodes go on, as their restart policy says.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {"", "Example:", "  resiliency drain --rdzv-endpoint host0:29400 --rdzv-id job7 host3"})
final class DrainCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create(); // picocli injects the real one

    @Mixin
    private JobOptions job = new JobOptions();

    @Parameters(
            paramLabel = "NODE",
            description = "The name of the node, or its address, as 'resiliency status' shows them.")
    private String node = "";

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        job.with(control -> out.println("node %s is asked to leave job %s".formatted(control.drain(node), job.name())));
        out.flush();
        return ExitCode.COMPLETED;
    }
}
