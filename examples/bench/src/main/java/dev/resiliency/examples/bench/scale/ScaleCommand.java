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
import org.jspecify.annotations.Nullable;
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
        customSynopsis =
                "bench.sh scale [--ranks N,N,...] [--join N] [--jobs N] [--restarts N] [--warmup N] [--json FILE]",
        descriptionHeading = "%n",
        description = {
            "Measures what a restart costs in a large job: the time from an exception on one rank until the last rank has"
                    + " its new state. The store server is a real one, and so is the leader, which assigns the ranks of"
                    + " a tree of racks and hosts. All other ranks are connections of one process that send what a real"
                    + " rank sends, byte for byte, as soon as it would; they have no function to stop.",
            "",
            "The floor is one fan-out by a program that does nothing but write one small message to each rank.",
            "",
            "With --join, many processes come to the job at once, each with a real client of the store; the leader is a"
                    + " whole rank, which decides when to interrupt the job for them. Prints how many restarts it takes"
                    + " until all are taken in, which must be one, and how long that restart takes beside one without"
                    + " them.",
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
            "  MB         largest resident memory of a server after its last restart",
            "",
            "With --join, in milliseconds, medians of all jobs of a size:",
            "  restarts   the most restarts that any job needed to take all in",
            "  without    a restart without them, from the request that interrupts the iteration to the last rank's",
            "             new state",
            "  with       the restart that took them in, from the leader's request to the last new state, theirs included",
            "  ratio      with divided by without",
            "  first      as with, in a job before that on the same server: its code is not compiled yet"
        })
public final class ScaleCommand implements Callable<Integer> {
    // Many machines allow 20,000 descriptors per process; some are needed otherwise.
    private static final int MAX_RANKS = 19_000;
    // A host of the simulated job needs two ranks.
    private static final int LEAST_JOINERS = 2;
    // Each is a real client, with objects and timers of its own.
    private static final int MOST_JOINERS = 500;

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
            names = "--join",
            paramLabel = "N",
            description = "Let this many processes join each job at once, and measure the restart that takes them in.")
    private @Nullable Integer join;

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

    /** Result with {@code --join}. */
    record JoinReport(Machine machine, List<JoinRow> rows) {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        check();
        Machine machine = Machine.current();
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8);
        if (join == null) {
            json.write(new ScaleReport(machine, measure(machine, out)));
            return 0;
        }
        List<JoinRow> rows = measureJoining(join, machine, out);
        json.write(new JoinReport(machine, rows));
        return rows.stream().allMatch(row -> row.restarts() == 1) ? 0 : 1;
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

    private List<JoinRow> measureJoining(int joiners, Machine machine, PrintStream out)
            throws IOException, InterruptedException {
        out.println(machine);
        JoinRow.header().forEach(out::println);
        List<JoinRow> rows = new ArrayList<>();
        for (int count : ranks) {
            JoinRow row = new JoinRun(count, joiners, jobs, warmUp, restarts).measure();
            rows.add(row);
            out.println(row.line());
        }
        return rows;
    }

    private void check() {
        for (int count : ranks) {
            if (count < 4 || count > MAX_RANKS) {
                throw wrong("--ranks: %d must be from 4 to %d".formatted(count, MAX_RANKS));
            }
        }
        if (join != null && (join < LEAST_JOINERS || join > MOST_JOINERS)) {
            throw wrong("--join: %d must be from %d to %d".formatted(join, LEAST_JOINERS, MOST_JOINERS));
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
