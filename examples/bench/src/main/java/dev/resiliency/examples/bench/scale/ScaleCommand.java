package dev.resiliency.examples.bench.scale;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.resiliency.examples.bench.Machine;
import dev.resiliency.examples.job.OutputFile;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench scale}: restarts of large jobs, over a real store server. */
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
        footerHeading = "%nColumns, in milliseconds, medians of the restarts that count, of all jobs of a size:%n",
        footer = {
            "  restart    from the request that interrupts the iteration to the last rank's new state",
            "  × floor    that divided by the floor; the goal is for 16384 ranks",
            "  of jobs    the lowest and the highest of this, of one job by itself",
            "  told       when the last rank had been told of the interruption",
            "  stopped    when the leader knew that all ranks had arrived at the barrier",
            "  assigned   when it had computed the assignment",
            "  first      the very first restart, before the code of the server and the leader is compiled",
            "  CPU        how long the server ran",
            "  messages, bytes   of a rank that is not the leader, sent and received, on average",
            "  MB         resident memory of a server after its last restart, of the one that has most",
        })
public final class ScaleCommand implements Callable<Integer> {
    // A process has 20,000 descriptors on many machines; some are needed for other things.
    private static final int MAX_RANKS = 19_000;

    @Spec
    private CommandSpec spec = CommandSpec.create(); // picocli puts the real one here

    @Option(
            names = "--ranks",
            paramLabel = "N",
            split = ",",
            defaultValue = "1024,4096,16384",
            description = "How many ranks the jobs have (default: ${DEFAULT-VALUE}).")
    private List<Integer> ranks = List.of();

    @Option(
            names = "--jobs",
            paramLabel = "N",
            defaultValue = "3",
            description = "How many jobs of each size there are, one after the other, each with a server of its own: a"
                    + " machine is faster in one minute than in the next (default: ${DEFAULT-VALUE}).")
    private int jobs;

    @Option(
            names = "--restarts",
            paramLabel = "N",
            defaultValue = "5",
            description = "How many restarts are counted in each job (default: ${DEFAULT-VALUE}).")
    private int restarts;

    @Option(
            names = "--warmup",
            paramLabel = "N",
            defaultValue = "10",
            description = "How many come before these and are not counted, so that the server's code is compiled when"
                    + " they do (default: ${DEFAULT-VALUE}).")
    private int warmUp;

    @Option(names = "--json", paramLabel = "FILE", description = "Write all measurements in JSON to this file.")
    private @Nullable Path json;

    @Option(names = "--help", usageHelp = true, description = "Show this.")
    @SuppressWarnings("UnusedVariable") // only its annotation counts
    private boolean help;

    /** For picocli. */
    public ScaleCommand() {}

    /** What came of it, for {@code --json}. */
    record Report(Machine machine, List<ScaleRow> rows) {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        for (int count : ranks) {
            if (count < 4 || count > MAX_RANKS) {
                throw wrong("--ranks: %d must be from 4 to %d".formatted(count, MAX_RANKS));
            }
        }
        if (jobs < 1) {
            throw wrong("--jobs: at least 1");
        }
        if (restarts < 1) {
            throw wrong("--restarts: at least 1");
        }
        if (warmUp < 1) {
            throw wrong("--warmup: at least 1");
        }
        OutputFile.check(spec, "--json", json);
        Machine machine = Machine.current();
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8);
        ScaleTable.header(machine).forEach(out::println);
        List<ScaleRow> rows = new ArrayList<>();
        for (int count : ranks) {
            ScaleRow row = new ScaleRun(new ScaleJob(count), jobs, warmUp, restarts).measure();
            rows.add(row);
            out.println(ScaleTable.line(row));
        }
        if (json != null) {
            new ObjectMapper().writerWithDefaultPrettyPrinter().writeValue(json.toFile(), new Report(machine, rows));
        }
        return 0;
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
