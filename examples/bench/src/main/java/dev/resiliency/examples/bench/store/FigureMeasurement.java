package dev.resiliency.examples.bench.store;

import dev.resiliency.examples.bench.measure.Median;
import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Barrier;
import dev.resiliency.store.spi.Operation;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Measures each figure of a server. */
final class FigureMeasurement {
    private static final int ROUND_TRIPS = 20_000;
    private static final int MANY_CLIENTS = 256;
    private static final Duration TIME = Duration.ofMillis(500); // limit of round trips, duration of throughput
    private static final int EVENTS = 3; // per kind and round
    private static final Duration HEARTBEAT = Duration.ofSeconds(10); // in which each client renews its lease once
    private static final Duration LEASE = Duration.ofSeconds(30);
    // The frame alone renews the lease, whatever its token is: the session is the client's own.
    private static final Value ANY_TOKEN = Value.of(new byte[32]);
    private static final Duration IDLE_WARM_UP = Duration.ofSeconds(2);

    private final MeasuredServer server;
    private final int clients;
    private final Map<Figure, List<Double>> samples;
    private final String prefix;
    private final NativeWire wire = new NativeWire();

    /** Creates a measurement whose keys begin with {@code prefix}, which must be new; adds to the samples of each figure. */
    FigureMeasurement(MeasuredServer server, int clients, Map<Figure, List<Double>> samples, String prefix) {
        this.server = server;
        this.clients = clients;
        this.samples = samples;
        this.prefix = prefix;
    }

    /** Measures the latency of one request at a time. */
    void roundTrips() throws IOException {
        String key = prefix + "/counter";
        try (Swarm swarm = new Swarm(server)) {
            swarm.connect(1);
            roundTrips(swarm, Figure.ADD_ONE_CLIENT, wire.request(new Operation.Add(key, 1)));
            roundTrips(swarm, Figure.GET_ONE_CLIENT, wire.request(new Operation.Get(key)));
        }
    }

    private void roundTrips(Swarm swarm, Figure figure, Step step) throws IOException {
        List<Long> nanos = new ArrayList<>(ROUND_TRIPS);
        long first = System.nanoTime();
        long now = first;
        for (int i = 0; i < ROUND_TRIPS && now - first < TIME.toNanos(); i++) {
            long start = now;
            swarm.begin(swarm.connections().get(0), step);
            swarm.finish();
            now = System.nanoTime();
            nanos.add(now - start);
        }
        add(figure, Median.of(nanos, Long::doubleValue) / 1e3);
    }

    /** Measures the throughput of many clients with one request at a time each. */
    void throughput() throws IOException {
        try (Swarm swarm = new Swarm(server)) {
            swarm.connect(Math.min(clients, MANY_CLIENTS));
            String counter = prefix + "/counter/";
            throughput(swarm, Figure.ADD_MANY_CLIENTS, client -> new Operation.Add(counter + client, 1));
            throughput(swarm, Figure.GET_MANY_CLIENTS, client -> new Operation.Get(counter + client));
        }
    }

    private void throughput(Swarm swarm, Figure figure, IntFunction<Operation<?>> requests) throws IOException {
        int count = swarm.connections().size();
        List<Step> step = stepsOf(count, requests);
        long[] done = {0};
        long start = System.nanoTime();
        swarm.onOver(connection -> {
            done[0]++;
            if (System.nanoTime() - start < TIME.toNanos()) {
                swarm.begin(connection, step.get(connection.index()));
            }
        });
        swarm.beginAll(count, step::get);
        swarm.finish();
        double seconds = (System.nanoTime() - start) / 1e9;
        swarm.onOver(connection -> {});
        add(figure, done[0] / seconds);
    }

    /** Measures how long it takes to connect all clients, and their collective operations. */
    void crowd() throws IOException {
        try (Swarm swarm = new Swarm(server)) {
            long start = System.nanoTime();
            swarm.connect(clients);
            addEvent(Figure.CONNECT, start);
            for (int i = 0; i < EVENTS; i++) {
                Barrier all = Barrier.of(prefix + "/all/" + i, IndexSet.range(0, clients));
                List<Step> arrive = stepsOf(clients, client -> new Operation.Arrive(all, IndexSet.of(client), true));
                swarm.settle();
                long first = System.nanoTime();
                swarm.beginAll(clients, arrive::get);
                swarm.finish();
                addEvent(Figure.BARRIER_ALL, first);
            }
            fanOuts(swarm);
        }
    }

    /** Measures the floor, with all clients of the server that only writes. */
    void floor() throws IOException {
        try (Swarm swarm = new Swarm(server)) {
            swarm.connect(clients);
            fanOuts(swarm);
        }
    }

    private void fanOuts(Swarm swarm) throws IOException {
        swarm.fanOuts(EVENTS, prefix + "/change/").forEach(nanos -> add(Figure.FAN_OUT, nanos / 1e6));
    }

    /** Measures for this time what idle clients cost. */
    void idle(Duration time) throws IOException {
        try (Swarm swarm = new Swarm(server)) {
            swarm.connect(clients);
            List<Step> heartbeats = swarm.connections().stream()
                    .map(connection -> wire.request(new Operation.Renew(connection.session(), ANY_TOKEN)))
                    .toList();
            Step lease = wire.request(new Operation.Lease(LEASE));
            swarm.beginAll(clients, client -> lease);
            swarm.finish();
            beat(swarm, heartbeats, IDLE_WARM_UP);
            long cpu = server.status().cpuMillis();
            long start = System.nanoTime();
            beat(swarm, heartbeats, time);
            long used = server.status().cpuMillis() - cpu;
            add(Figure.HEARTBEATS, 100 * used / ((System.nanoTime() - start) / 1e6));
            add(Figure.MEMORY, server.status().residentBytes() / 1e6);
        }
    }

    /** Spreads the heartbeats evenly, like clients that started at different times. */
    private static void beat(Swarm swarm, List<Step> heartbeats, Duration time) throws IOException {
        long start = System.nanoTime();
        double perNano = (double) heartbeats.size() / HEARTBEAT.toNanos();
        long sent = 0;
        for (long elapsed = 0; elapsed < time.toNanos(); elapsed = System.nanoTime() - start) {
            for (; sent < elapsed * perNano; sent++) {
                int client = (int) (sent % heartbeats.size());
                swarm.begin(swarm.connections().get(client), heartbeats.get(client));
            }
            swarm.poll(1);
        }
    }

    private List<Step> stepsOf(int count, IntFunction<Operation<?>> requests) {
        return IntStream.range(0, count).mapToObj(requests).map(wire::request).toList();
    }

    private void addEvent(Figure figure, long start) {
        add(figure, (System.nanoTime() - start) / 1e6);
    }

    private void add(Figure figure, double value) {
        samples.computeIfAbsent(figure, key -> new ArrayList<>()).add(value);
    }
}
