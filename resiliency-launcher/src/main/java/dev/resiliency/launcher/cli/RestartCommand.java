package dev.resiliency.launcher.cli;

import dev.resiliency.launcher.ExitCode;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code resiliency restart}. */
@Command(
        name = "restart",
        description =
                "Ends all ranks of all nodes with SIGTERM and their grace, and starts them again in the next cycle, whatever"
                        + " the restart policy is. It does not count towards --max-restarts.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {"", "Example:", "  resiliency restart --rdzv-endpoint host0:29400 --rdzv-id job7"})
final class RestartCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create(); // picocli injects the real one

    @Mixin
    private JobOptions job = new JobOptions();

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        job.with(control -> out.println("job %s starts again in cycle %d".formatted(job.name(), control.restart())));
        out.flush();
        return ExitCode.COMPLETED;
    }
}
