package dev.resiliency.launcher.cli;

import dev.resiliency.launcher.ExitCode;
import dev.resiliency.launcher.rendezvous.JobStatus;
import dev.resiliency.launcher.rendezvous.JobStatus.NodeStatus;
import dev.resiliency.launcher.rendezvous.Seat;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code resiliency status}. */
@Command(
        name = "status",
        description = "Shows the nodes of a job that 'resiliency run' has started, and their ranks.",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        footer = {"", "  resiliency status --rdzv-endpoint host0:29400 --rdzv-id job7"})
final class StatusCommand implements Callable<Integer> {
    private static final String ROW = "%-32s %-16s %-10s %s";

    @Spec
    private CommandSpec spec = CommandSpec.create(); // picocli injects the real one

    @Mixin
    private JobOptions job = new JobOptions();

    @Override
    public Integer call() throws InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        job.with(control -> {
            out.println(text(job.name(), control.status()));
            control.unhealthy().forEach((node, problem) -> out.printf("node %s is unhealthy: %s%n", node, problem));
        });
        out.flush();
        return ExitCode.COMPLETED;
    }

    static String text(String name, JobStatus status) {
        String head = "job %s: %d nodes with %d ranks each, policy %s, cycle %d, %d restarts"
                .formatted(
                        name,
                        status.terms().nodes(),
                        status.terms().processes(),
                        status.terms().policy(),
                        status.cycle(),
                        status.restarts());
        String end = status.end().isEmpty() ? "" : "%nended with exit code %s".formatted(status.end());
        String rows = status.nodes().stream().map(StatusCommand::row).collect(Collectors.joining());
        return head + end + System.lineSeparator() + ROW.formatted("NODE", "ADDRESS", "STATE", "RANKS") + rows;
    }

    private static String row(NodeStatus node) {
        return System.lineSeparator()
                + ROW.formatted(
                        node.node().name(),
                        node.node().address(),
                        node.state().name().toLowerCase(Locale.ROOT),
                        ranks(node.seat()));
    }

    private static String ranks(@Nullable Seat seat) {
        if (seat == null) {
            return "-";
        }
        return seat.isFounder() ? seat.rank(0) + "-" + seat.rank(seat.processes() - 1) : "spare";
    }
}
