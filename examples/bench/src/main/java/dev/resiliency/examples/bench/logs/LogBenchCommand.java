package dev.resiliency.examples.bench.logs;

import dev.resiliency.examples.bench.measure.Machine;
import dev.resiliency.examples.job.JsonOption;
import dev.resiliency.examples.job.WorkDirectory;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench logs}: measures log files and the log server. */
@Command(
        name = "logs",
        sortOptions = false,
        customSynopsis = "bench.sh logs [--nodes N] [--ranks N] [--rate N,N,...] [--seconds N] [--json FILE]",
        descriptionHeading = "%n",
        description = {
            "Simulated ranks write lines of some 100 bytes. Each node, all in this process, keeps them in a file and sends them to"
                    + " a log server in another process, as agents do. Stops at the first rate at which that does not keep up.",
            ""
        },
        footerHeading = "%nColumns:%n",
        footer = {
            "  rate        lines per second of each rank",
            "  lines/s     of all nodes together, until the merged file is complete",
            "  dropped     lines that a rank would have had to wait for, for more than a second; they are counted in the files",
            "  missing     lines of the nodes' files that the merged file lacks, or has twice or in another order",
            "  lag         from the last line of the ranks until the merged file is complete; 2 s are too much",
            "  CPU         100 % is one core; nodes CPU includes the simulated ranks",
            "  MB          peak memory of the server"
        })
public final class LogBenchCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec = CommandSpec.create(); // picocli injects the real one

    @Option(
            names = "--nodes",
            paramLabel = "N",
            defaultValue = "64",
            description = "Nodes (default: ${DEFAULT-VALUE}).")
    private int nodes;

    @Option(
            names = "--ranks",
            paramLabel = "N",
            defaultValue = "8",
            description = "Ranks per node (default: ${DEFAULT-VALUE}).")
    private int ranks;

    @Option(
            names = "--rate",
            paramLabel = "N",
            split = ",",
            defaultValue = "250,500,1000,2000,4000",
            description = "Lines per second of each rank (default: ${DEFAULT-VALUE}).")
    private List<Integer> rates = List.of();

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "5",
            description = "How long the ranks write (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Mixin
    private JsonOption json = new JsonOption();

    /** What {@code --json} writes. */
    record Report(Machine machine, List<LogRow> rows) {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (nodes < 1 || ranks < 1 || seconds < 1 || rates.stream().anyMatch(rate -> rate < 1)) {
            throw new ParameterException(spec.commandLine(), "all numbers must be at least 1");
        }
        json.check();
        Machine machine = Machine.current();
        System.out.println(machine);
        System.out.println(LogRow.header());
        List<LogRow> rows = new ArrayList<>();
        for (int rate : rates) {
            try (WorkDirectory directory = new WorkDirectory("resiliency-bench-")) {
                LogRow row = new LogRun(nodes, ranks, rate, Duration.ofSeconds(seconds), directory.path()).measure();
                rows.add(row);
                System.out.println(row.line());
                if (!row.keepsUp()) {
                    break;
                }
            }
        }
        json.write(new Report(machine, rows));
        return 0;
    }
}
