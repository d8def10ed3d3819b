package dev.resiliency.examples.bench.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.resiliency.examples.bench.Machine;
import dev.resiliency.examples.job.OutputFile;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code bench store}: measures the store server. */
@Command(
        name = "store",
        sortOptions = false,
        customSynopsis = "bench.sh store [--clients N] [--peer] [--json FILE] [OPTION]...",
        descriptionHeading = "%n",
        description = {
            "Measures the store server: round trips, throughput, a storm of connections, barriers, how a change is told"
                    + " to all, memory, and what idle clients with their heartbeats take. Beside it stands the floor: a"
                    + " program that does nothing but write one small message to each client. All servers and the"
                    + " clients are processes of this machine, and the clients are the same for all servers.",
            ""
        },
        footer = {
            "",
            "The floor is compiled from C with the compiler that the variable CC names, or cc; without one, it is Java.",
            "",
            "Examples:",
            "  bench.sh store --clients 1024",
            "  bench.sh store --clients 16384 --peer --json report.json   takes some minutes"
        })
public final class StoreCommand implements Callable<Integer> {
    // A process has 20,000 descriptors on many machines; some are needed for other things.
    private static final int MAX_CLIENTS = 19_000;

    @Spec
    private CommandSpec spec = CommandSpec.create(); // picocli puts the real one here

    @Option(
            names = "--clients",
            paramLabel = "N",
            defaultValue = "1024",
            description = "How many clients there are (default: ${DEFAULT-VALUE}).")
    private int clients;

    @Option(
            names = "--peer",
            description = "Measure PyTorch's own server as well, in turns with ours, with the barriers that"
                    + " nvidia-resiliency-ext makes of its operations. Version 2.10 has no barrier of its own.")
    private boolean peer;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            description = "How many rounds are counted, after one to warm up (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--idle",
            paramLabel = "SECONDS",
            defaultValue = "10",
            description = "How long the idle clients are measured (default: ${DEFAULT-VALUE}).")
    private int idleSeconds;

    @Option(
            names = "--heartbeat",
            paramLabel = "SECONDS",
            defaultValue = "10",
            description = "How often each idle client renews its lease (default: ${DEFAULT-VALUE}, as a rank's"
                    + " monitor process does by default).")
    private int heartbeatSeconds;

    @Option(names = "--json", paramLabel = "FILE", description = "Write everything in JSON to this file.")
    private @Nullable Path json;

    @Option(names = "--help", usageHelp = true, description = "Show this.")
    @SuppressWarnings("UnusedVariable") // only its annotation counts
    private boolean help;

    /** For picocli. */
    public StoreCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        check();
        Machine machine = Machine.current();
        Duration heartbeatInterval = Duration.ofSeconds(heartbeatSeconds);
        Duration idle = Duration.ofSeconds(idleSeconds);
        Samples samples = new StoreBenchmark(clients, rounds, peer, heartbeatInterval, idle).run();
        Report report = Report.of(machine, clients, rounds, samples);
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8);
        Table.lines(report).forEach(out::println);
        if (json != null) {
            new ObjectMapper().writerWithDefaultPrettyPrinter().writeValue(json.toFile(), report);
        }
        return 0;
    }

    private void check() {
        if (clients < 2 || clients > MAX_CLIENTS) {
            throw wrong("--clients is %d: it must be from 2 to %d".formatted(clients, MAX_CLIENTS));
        }
        if (rounds < 1 || idleSeconds < 1 || heartbeatSeconds < 1) {
            throw wrong("--rounds, --idle and --heartbeat must be at least 1");
        }
        OutputFile.check(spec, "--json", json);
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
