package dev.resiliency.examples.bench.store;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;

/** Measures each figure of a server. */
final class FigureMeasurement {
    private static final int ROUND_TRIPS = 20_000;
    private static final int MANY_CLIENTS = 256;
    private static final Duration TIME = Duration.ofMillis(500); // limit of round trips, duration of throughput
    private static final int EVENTS = 3; // per kind and round
    private static final int HISTOGRAM_DIGITS = 3;
    private static final Duration IDLE_WARM_UP = Duration.ofSeconds(2);

    private final MeasuredServer server;
    private final int clients;
    private final Map<Figure, List<Double>> samples;
    private final String prefix;

    /** Creates a measurement whose keys begin with {@code prefix}, which must be new; adds to the samples of each figure. */
    FigureMeasurement(MeasuredServer server, int clients, Map<Figure, List<Double>> samples, String prefix) {
        this.server = server;
        this.clients = clients;
        this.samples = samples;
        this.prefix = prefix;
    }

    /** Measures the latency of one request at a time. */
    void roundTrips(NativeWire wire) throws IOException {
        String key = prefix + "/counter";
        try (Swarm swarm = new Swarm(server)) {
            swarm.connect(1);
            roundTrips(swarm, Figure.ADD_ONE_CLIENT, wire.add(key));
            roundTrips(swarm, Figure.GET_ONE_CLIENT, wire.get(key));
        }
    }

    private void roundTrips(Swarm swarm, Figure figure, Step step) throws IOException {
        Histogram nanos = new Histogram(HISTOGRAM_DIGITS);
        long first = System.nanoTime();
        long now = first;
        for (int i = 0; i < ROUND_TRIPS && now - first < TIME.toNanos(); i++) {
            long start = now;
            swarm.begin(swarm.connections().get(0), step);
            swarm.finish();
            now = System.nanoTime();
            nanos.recordValue(now - start);
        }
        add(figure, nanos.getValueAtPercentile(50) / 1e3);
    }

    /** Measures the throughput of many clients with one request at a time each. */
    void throughput(NativeWire wire) throws IOException {
        try (Swarm swarm = new Swarm(server)) {
            swarm.connect(Math.min(clients, MANY_CLIENTS));
            throughput(swarm, Figure.ADD_MANY_CLIENTS, client -> wire.add(prefix + "/counter/" + client));
            throughput(swarm, Figure.GET_MANY_CLIENTS, client -> wire.get(prefix + "/counter/" + client));
        }
    }

    private void throughput(Swarm swarm, Figure figure, IntFunction<Step> steps) throws IOException {
        int count = swarm.connections().size();
        List<Step> step = stepsOf(count, steps);
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
    void crowd(NativeWire wire) throws IOException {
        try (Swarm swarm = new Swarm(server)) {
            long start = System.nanoTime();
            swarm.connect(clients);
            addEvent(Figure.CONNECT, start);
            for (int i = 0; i < EVENTS; i++) {
                allArrive(swarm, wire.arrive(prefix + "/all/" + i, clients));
            }
            fanOuts(swarm, wire);
        }
    }

    /** Measures the floor, with all clients of the server that only writes. */
    void floor() throws IOException {
        try (Swarm swarm = new Swarm(server)) {
            swarm.connect(clients);
            fanOuts(swarm, server.wire());
        }
    }

    private void allArrive(Swarm swarm, IntFunction<Step> arrive) throws IOException {
        List<Step> steps = stepsOf(clients, arrive);
        swarm.settle();
        long start = System.nanoTime();
        swarm.beginAll(clients, steps::get);
        swarm.finish();
        addEvent(Figure.BARRIER_ALL, start);
    }

    private void fanOuts(Swarm swarm, Wire wire) throws IOException {
        swarm.connect(1);
        for (int i = 0; i < EVENTS; i++) {
            add(Figure.FAN_OUT, swarm.fanOut(wire, prefix + "/change/" + i) / 1e6);
        }
    }

    /**
     * Measures what idle clients cost.
     *
     * @param interval in which each client renews its lease once
     * @param time for which they are measured
     */
    void idle(NativeWire wire, Duration interval, Duration time) throws IOException {
        try (Swarm swarm = new Swarm(server)) {
            swarm.connect(clients);
            List<Step> heartbeats = swarm.connections().stream()
                    .map(connection -> wire.heartbeat(connection.value()))
                    .toList();
            Step lease = wire.lease();
            swarm.beginAll(clients, client -> lease);
            swarm.finish();
            beat(swarm, heartbeats, interval, IDLE_WARM_UP);
            long cpu = server.status().cpuMillis();
            long start = System.nanoTime();
            beat(swarm, heartbeats, interval, time);
            long used = server.status().cpuMillis() - cpu;
            add(Figure.HEARTBEATS, 100 * used / ((System.nanoTime() - start) / 1e6));
            add(Figure.MEMORY, server.status().residentBytes() / 1e6);
        }
    }

    /** Spreads the heartbeats evenly, like clients that started at different times. */
    private static void beat(Swarm swarm, List<Step> heartbeats, Duration interval, Duration time) throws IOException {
        long start = System.nanoTime();
        double perNano = (double) heartbeats.size() / interval.toNanos();
        long sent = 0;
        for (long elapsed = 0; elapsed < time.toNanos(); elapsed = System.nanoTime() - start) {
            for (; sent < elapsed * perNano; sent++) {
                int client = (int) (sent % heartbeats.size());
                swarm.begin(swarm.connections().get(client), heartbeats.get(client));
            }
            swarm.poll(Duration.ofMillis(1));
        }
    }

    private static List<Step> stepsOf(int count, IntFunction<Step> steps) {
        return IntStream.range(0, count).mapToObj(steps).toList();
    }

    private void addEvent(Figure figure, long start) {
        add(figure, (System.nanoTime() - start) / 1e6);
    }

    private void add(Figure figure, double value) {
        samples.computeIfAbsent(figure, key -> new ArrayList<>()).add(value);
    }
}
