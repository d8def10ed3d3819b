package dev.resiliency.examples.bench.store;

import dev.resiliency.examples.bench.measure.Machine;
import dev.resiliency.examples.job.JsonOption;
import dev.resiliency.examples.job.Program;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bench store}: measures the store server. */
@Command(
        name = "store",
        sortOptions = false,
        customSynopsis = "bench.sh store [--clients N] [--json FILE] [OPTION]...",
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
            "The floor is compiled from C with the compiler in the variable CC, or cc.",
            "",
            "Examples:",
            "  bench.sh store --clients 1024",
            "  bench.sh store --clients 16384 --json report.json   takes several minutes"
        })
public final class StoreCommand implements Callable<Integer> {
    @Option(
            names = "--clients",
            paramLabel = "N",
            defaultValue = "1024",
            description = "Number of clients (default: ${DEFAULT-VALUE}).")
    private int clients;

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
            description =
                    "Seconds for which idle clients are measured, which renew their leases every 10 s, as the monitor"
                            + " process of a rank does (default: ${DEFAULT-VALUE}).")
    private int idleSeconds;

    @Mixin
    private JsonOption json = new JsonOption();

    @Override
    public Integer call() throws IOException, InterruptedException {
        check();
        StoreReport report = new StoreReport(Machine.current(), clients, rounds, measure());
        report.lines().forEach(Program::say);
        json.write(report);
        return 0;
    }

    /** In each round, the servers take turns, so that other load on the machine affects both. */
    private List<StoreReport.Row> measure() throws IOException, InterruptedException {
        Map<Figure, List<Double>> samples = new EnumMap<>(Figure.class);
        Map<Figure, List<Double>> floors = new EnumMap<>(Figure.class);
        try (MeasuredServer ours = MeasuredServer.ours("-Xmx256m");
                MeasuredServer floor = MeasuredServer.floor()) {
            for (int round = 0; round <= rounds; round++) {
                System.err.println(round == 0 ? "warm-up..." : "round " + round + " of " + rounds + "...");
                FigureMeasurement measurement = new FigureMeasurement(ours, clients, samples, "/bench/" + round);
                measurement.roundTrips();
                measurement.throughput();
                measurement.crowd();
                new FigureMeasurement(floor, clients, floors, "").floor();
                if (round == 0) {
                    samples.clear();
                    floors.clear();
                }
            }
            System.err.println("idle for " + idleSeconds + " s...");
            new FigureMeasurement(ours, clients, samples, "").idle(Duration.ofSeconds(idleSeconds));
        }
        return StoreReport.rows(samples, floors);
    }

    private void check() {
        Program.require(
                clients >= 2 && clients <= MeasuredServer.mostClients(),
                "--clients is %d: it must be from 2 to %d".formatted(clients, MeasuredServer.mostClients()));
        Program.require(rounds >= 1 && idleSeconds >= 1, "--rounds and --idle must be at least 1");
        json.check();
    }
}
