package dev.resiliency.examples.bench.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.resiliency.examples.bench.measure.Machine;
import dev.resiliency.examples.job.JsonOption;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
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
            "Measures the store server: round trips, throughput, a storm of connections, barriers, the fan-out of a"
                    + " change, memory, and the cost of idle clients with their heartbeats. It is compared with the"
                    + " floor: a program that does nothing but write one small message to each client. All servers"
                    + " and clients are processes of this machine, and the clients are the same for all servers.",
            ""
        },
        footer = {
            "",
            "The floor is compiled from C with the compiler in the variable CC, or cc; without one, it is Java.",
            "",
            "Examples:",
            "  bench.sh store --clients 1024",
            "  bench.sh store --clients 16384 --peer --json report.json   takes several minutes"
        })
public final class StoreCommand implements Callable<Integer> {
    // Many machines allow 20,000 descriptors per process; some are needed otherwise.
    private static final int MAX_CLIENTS = 19_000;

    @Spec
    private CommandSpec spec = CommandSpec.create(); // picocli injects the real one

    @Option(
            names = "--clients",
            paramLabel = "N",
            defaultValue = "1024",
            description = "Number of clients (default: ${DEFAULT-VALUE}).")
    private int clients;

    @Option(
            names = "--peer",
            description = "Also measure PyTorch's own server, in turns with ours, with the barriers that"
                    + " nvidia-resiliency-ext builds from its operations, since 2.10 has no barrier of its own.")
    private boolean peer;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            description = "Number of counted rounds, after one to warm up (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(
            names = "--idle",
            paramLabel = "SECONDS",
            defaultValue = "10",
            description = "Seconds for which idle clients are measured (default: ${DEFAULT-VALUE}).")
    private int idleSeconds;

    @Option(
            names = "--heartbeat",
            paramLabel = "SECONDS",
            defaultValue = "10",
            description = "Seconds between renewals of an idle client's lease (default: ${DEFAULT-VALUE}, as for the"
                    + " monitor process of a rank).")
    private int heartbeatSeconds;

    @Mixin
    private JsonOption json = new JsonOption();

    /** For picocli. */
    public StoreCommand() {}

    @Override
    public Integer call() throws IOException, InterruptedException {
        check();
        Machine machine = Machine.current();
        Duration heartbeatInterval = Duration.ofSeconds(heartbeatSeconds);
        Duration idle = Duration.ofSeconds(idleSeconds);
        Samples samples = new StoreBenchmark(clients, rounds, peer, heartbeatInterval, idle).run();
        StoreReport report = StoreReport.of(machine, clients, rounds, samples);
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8);
        Table.lines(report).forEach(out::println);
        json.write(report);
        return 0;
    }

    private void check() {
        if (clients < 2 || clients > MAX_CLIENTS) {
            throw wrong("--clients is %d: it must be from 2 to %d".formatted(clients, MAX_CLIENTS));
        }
        if (rounds < 1 || idleSeconds < 1 || heartbeatSeconds < 1) {
            throw wrong("--rounds, --idle and --heartbeat must be at least 1");
        }
        json.check();
    }

    private ParameterException wrong(String message) {
        return new ParameterException(spec.commandLine(), message);
    }
}
