package dev.resiliency.examples.bench.store;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Measures what idle clients cost a store. */
final class IdleMeasurement {
    private static final Duration WARM_UP = Duration.ofSeconds(2);

    private final Target target;
    private final int clients;
    private final Duration heartbeatInterval;
    private final Duration time;
    private final Samples samples;

    /** Creates a measurement in which each client renews its lease once per {@code heartbeatInterval}. */
    IdleMeasurement(Target target, int clients, Duration heartbeatInterval, Duration time, Samples samples) {
        this.target = target;
        this.clients = clients;
        this.heartbeatInterval = heartbeatInterval;
        this.time = time;
        this.samples = samples;
    }

    void take() throws IOException {
        try (Swarm swarm = new Swarm(target)) {
            swarm.connect(clients);
            if (target.wire() instanceof NativeWire wire) {
                beat(swarm, wire);
            }
            addMegabytes(Figure.MEMORY, target.process().residentBytes());
            addMegabytes(Figure.MEMORY_PEAK, target.process().peakBytes());
        }
    }

    private void beat(Swarm swarm, NativeWire wire) throws IOException {
        List<Step> heartbeats = swarm.connections().stream()
                .map(connection -> wire.heartbeat(connection.value()))
                .toList();
        Step lease = wire.lease();
        swarm.beginAll(clients, client -> lease);
        swarm.finish();
        beat(swarm, heartbeats, WARM_UP);
        long cpu = target.cpuMillis();
        long start = System.nanoTime();
        beat(swarm, heartbeats, time);
        long used = target.cpuMillis() - cpu;
        double share = 100 * used / ((System.nanoTime() - start) / 1e6);
        samples.add(Figure.HEARTBEATS, target.kind(), new Sample(share, null, null, used));
    }

    /** Spreads the heartbeats evenly, like clients that started at different times. */
    private void beat(Swarm swarm, List<Step> heartbeats, Duration duration) throws IOException {
        long start = System.nanoTime();
        double perNano = (double) heartbeats.size() / heartbeatInterval.toNanos();
        long sent = 0;
        for (long elapsed = 0; elapsed < duration.toNanos(); elapsed = System.nanoTime() - start) {
            for (; sent < elapsed * perNano; sent++) {
                int client = (int) (sent % heartbeats.size());
                swarm.begin(swarm.connections().get(client), heartbeats.get(client));
            }
            swarm.poll(Duration.ofMillis(1));
        }
    }

    private void addMegabytes(Figure figure, long bytes) {
        samples.add(figure, target.kind(), new Sample(bytes / 1e6, null, null, null));
    }
}
