package dev.resiliency.examples.bench.scale;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.examples.bench.measure.Machine;
import dev.resiliency.examples.job.JsonOption;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench scale}: measures restarts of large jobs, over a real store server. */
@Command(
        name = "scale",
        sortOptions = false,
        customSynopsis = "bench.sh scale [--ranks N,N,...] [--jobs N] [--restarts N] [--warmup N] [--json FILE]",
        descriptionHeading = "%n",
        description = {
            "Measures what a restart costs in a large job: the time from an exception on one rank until the last rank has"
                    + " its new state. The store server is a real one, and so is the leader, which assigns the ranks of"
                    + " a tree of racks and hosts. All other ranks are connections of one process that send what a real"
                    + " rank sends, byte for byte, as soon as it would; they have no function to stop.",
            "",
            "The floor is one fan-out by a program that does nothing but write one small message to each rank.",
            ""
        },
        footerHeading = "%nColumns, in milliseconds, medians of the counted restarts of all jobs of a size:%n",
        footer = {
            "  restart    from the request that interrupts the iteration to the last rank's new state",
            "  × floor    restart divided by the floor; the goal applies to 16384 ranks",
            "  of jobs    the lowest and the highest ratio of a single job",
            "  notified   when the last rank had learned of the interruption",
            "  stopped    when the leader learned that all ranks had arrived at the barrier",
            "  assigned   when it had computed the assignment",
            "  first      the very first restart, before the code of the server and the leader is compiled",
            "  CPU        CPU time of the server",
            "  messages, bytes   of a rank that is not the leader, sent and received, on average",
            "  MB         largest resident memory of a server after its last restart"
        })
public final class ScaleCommand implements Callable<Integer> {
    // Many machines allow 20,000 descriptors per process; some are needed otherwise.
    private static final int MAX_RANKS = 19_000;

    @Spec
    private CommandSpec spec = CommandSpec.create(); // picocli injects the real one

    @Option(
            names = "--ranks",
            paramLabel = "N",
            split = ",",
            defaultValue = "1024,4096,16384",
            description = "Numbers of ranks of the jobs (default: ${DEFAULT-VALUE}).")
    private List<Integer> ranks = List.of();

    @Option(
            names = "--jobs",
            paramLabel = "N",
            defaultValue = "3",
            description = "Number of jobs of each size, one after the other, each with a server of its own, since the"
                    + " speed of a machine varies by the minute (default: ${DEFAULT-VALUE}).")
    private int jobs;

    @Option(
            names = "--restarts",
            paramLabel = "N",
            defaultValue = "5",
            description = "Number of restarts counted in each job (default: ${DEFAULT-VALUE}).")
    private int restarts;

    @Option(
            names = "--warmup",
            paramLabel = "N",
            defaultValue = "10",
            description = "Number of restarts before these that are not counted, until the server's code is compiled"
                    + " (default: ${DEFAULT-VALUE}).")
    private int warmUp;

    @Mixin
    private JsonOption json = new JsonOption();

    /** For picocli. */
    public ScaleCommand() {}

    /** Result, as {@code --json} writes it. */
    record ScaleReport(Machine machine, List<ScaleRow> rows) {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        check();
        Machine machine = Machine.current();
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8);
        json.write(new ScaleReport(machine, measure(machine, out)));
        return 0;
    }

    private List<ScaleRow> measure(Machine machine, PrintStream out) throws IOException, InterruptedException {
        ScaleTable.header(machine).forEach(out::println);
        List<ScaleRow> rows = new ArrayList<>();
        for (int count : ranks) {
            ScaleRow row = new ScaleRun(new ScaleJob(count, "scale"), jobs, warmUp, restarts).measure();
            rows.add(row);
            out.println(ScaleTable.line(row));
        }
        return rows;
    }

    private void check() {
        for (int count : ranks) {
            if (count < 4 || count > MAX_RANKS) {
                throw wrong("--ranks: %d must be from 4 to %d".formatted(count, MAX_RANKS));
            }
        }
        if (jobs < 1) {
            throw wrong("--jobs must be at least 1");
        }
        if (restarts < 1) {
            throw wrong("--restarts must be at least 1");
        }
        if (warmUp < 1) {
            throw wrong("--warmup must be at least 1");
        }
        json.check();
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
