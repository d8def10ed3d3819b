package dev.resiliency.examples.bench.store;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Runs all rounds. In each, the servers take turns, so that other load on the machine affects all of them. The first round
 * is a warm-up and is not counted.
 */
final class StoreBenchmark {
    private final int clients;
    private final int rounds;
    private final boolean withPeer;
    private final Duration heartbeatInterval;
    private final Duration idle;
    private final Samples samples = new Samples();

    StoreBenchmark(int clients, int rounds, boolean withPeer, Duration heartbeatInterval, Duration idle) {
        this.clients = clients;
        this.rounds = rounds;
        this.withPeer = withPeer;
        this.heartbeatInterval = heartbeatInterval;
        this.idle = idle;
    }

    Samples run() throws IOException, InterruptedException {
        List<Target> targets = new ArrayList<>();
        try {
            Target ours = Servers.ours("-Xmx256m");
            targets.add(ours);
            Optional<Target> peer = withPeer ? Optional.of(Servers.peer()) : Optional.empty();
            peer.ifPresent(targets::add);
            targets.add(Servers.floor());
            for (int round = 0; round <= rounds; round++) {
                print(round == 0 ? "warm-up" : "round " + round + " of " + rounds);
                for (Target target : targets) {
                    measure(target, round);
                }
                if (round == 0) {
                    samples.clear();
                }
            }
            print("idle for " + idle.toSeconds() + " s");
            new IdleMeasurement(ours, clients, heartbeatInterval, idle, samples).take();
            if (peer.isPresent()) {
                new IdleMeasurement(peer.get(), clients, heartbeatInterval, idle, samples).take();
            }
            return samples;
        } finally {
            targets.forEach(Target::close);
        }
    }

    private void measure(Target target, int round) throws IOException {
        FigureMeasurement measurement = new FigureMeasurement(target, clients, samples, "/bench/" + round);
        if (target.wire() instanceof StoreWire wire) {
            measurement.roundTrips(wire);
            measurement.throughput(wire);
            measurement.crowd(wire);
        } else {
            measurement.floor();
        }
    }

    private static void print(String progress) {
        System.err.println(progress + "...");
    }
}
