package dev.resiliency.examples.bench.store;

import java.io.IOException;
import java.time.Duration;
import java.util.function.IntFunction;
import org.HdrHistogram.Histogram;

/** Measures each figure of a server. */
final class FigureMeasurement {
    private static final int ROUND_TRIPS = 20_000;
    private static final int MANY_CLIENTS = 256;
    private static final Duration TIME = Duration.ofMillis(500); // limit of round trips, duration of throughput
    private static final int EVENTS = 3; // per kind and round
    private static final int HISTOGRAM_DIGITS = 3;

    private final Target target;
    private final int clients;
    private final Samples samples;
    private final String prefix;

    /** Creates a measurement whose keys begin with {@code prefix}, which must be new. */
    FigureMeasurement(Target target, int clients, Samples samples, String prefix) {
        this.target = target;
        this.clients = clients;
        this.samples = samples;
        this.prefix = prefix;
    }

    /** Measures the latency of one request at a time. */
    void roundTrips(StoreWire wire) throws IOException {
        String key = prefix + "/counter";
        try (Swarm swarm = new Swarm(target)) {
            swarm.connect(1);
            roundTrips(swarm, Figure.ADD_ONE_CLIENT, wire.add(key));
            roundTrips(swarm, Figure.GET_ONE_CLIENT, wire.get(key));
        }
    }

    private void roundTrips(Swarm swarm, Figure figure, Step step) throws IOException {
        Histogram nanos = new Histogram(HISTOGRAM_DIGITS);
        long cpu = target.cpuMillis();
        long first = System.nanoTime();
        long now = first;
        for (int i = 0; i < ROUND_TRIPS && now - first < TIME.toNanos(); i++) {
            long start = now;
            swarm.begin(swarm.connections().get(0), step);
            swarm.finish();
            now = System.nanoTime();
            nanos.recordValue(now - start);
        }
        add(figure, nanos.getValueAtPercentile(50) / 1e3, nanos, cpu);
    }

    /** Measures the throughput of many clients with one request at a time each. */
    void throughput(StoreWire wire) throws IOException {
        try (Swarm swarm = new Swarm(target)) {
            swarm.connect(Math.min(clients, MANY_CLIENTS));
            throughput(swarm, Figure.ADD_MANY_CLIENTS, client -> wire.add(prefix + "/counter/" + client));
            throughput(swarm, Figure.GET_MANY_CLIENTS, client -> wire.get(prefix + "/counter/" + client));
        }
    }

    private void throughput(Swarm swarm, Figure figure, IntFunction<Step> steps) throws IOException {
        Histogram nanos = new Histogram(HISTOGRAM_DIGITS);
        int count = swarm.connections().size();
        Step[] step = stepsOf(count, steps);
        long[] begun = new long[count];
        long cpu = target.cpuMillis();
        long start = System.nanoTime();
        swarm.onOver(connection -> {
            long now = System.nanoTime();
            nanos.recordValue(now - begun[connection.index()]);
            if (now - start < TIME.toNanos()) {
                begun[connection.index()] = now;
                swarm.begin(connection, step[connection.index()]);
            }
        });
        swarm.beginAll(count, client -> {
            begun[client] = System.nanoTime();
            return step[client];
        });
        swarm.finish();
        double seconds = (System.nanoTime() - start) / 1e9;
        swarm.onOver(connection -> {});
        add(figure, nanos.getTotalCount() / seconds, nanos, cpu);
    }

    /** Measures how long it takes to connect all clients, and their collective operations. */
    void crowd(StoreWire wire) throws IOException {
        try (Swarm swarm = new Swarm(target)) {
            long cpu = target.cpuMillis();
            long start = System.nanoTime();
            swarm.connect(clients);
            addEvent(Figure.CONNECT, start, cpu);
            for (int i = 0; i < EVENTS; i++) {
                lastArrival(swarm, wire.arrive(prefix + "/last/" + i, clients));
                allArrive(swarm, Figure.BARRIER_ALL, wire.arrive(prefix + "/all/" + i, clients));
                allArrive(swarm, Figure.BARRIER_AGAIN, wire.arriveAgain(prefix + "/again/" + i, clients));
            }
            fanOuts(swarm, wire, Figure.FAN_OUT);
        }
    }

    /** Measures the floors, with all clients of the server that only writes. */
    void floor() throws IOException {
        try (Swarm swarm = new Swarm(target)) {
            swarm.connect(clients);
            fanOuts(swarm, target.wire(), Figure.FAN_OUT, Figure.BARRIER_LAST);
        }
    }

    private void lastArrival(Swarm swarm, IntFunction<Step> arrive) throws IOException {
        Step last = arrive.apply(clients - 1);
        swarm.beginAll(clients - 1, arrive);
        swarm.settle();
        long cpu = target.cpuMillis();
        long start = System.nanoTime();
        swarm.begin(swarm.connections().get(clients - 1), last);
        swarm.finish();
        addEvent(Figure.BARRIER_LAST, start, cpu);
    }

    private void allArrive(Swarm swarm, Figure figure, IntFunction<Step> arrive) throws IOException {
        Step[] steps = stepsOf(clients, arrive);
        swarm.settle();
        long cpu = target.cpuMillis();
        long start = System.nanoTime();
        swarm.beginAll(clients, client -> steps[client]);
        swarm.finish();
        addEvent(figure, start, cpu);
    }

    private void fanOuts(Swarm swarm, Wire wire, Figure... figures) throws IOException {
        swarm.connect(1);
        SwarmConnection writer = swarm.connections().get(clients);
        for (int i = 0; i < EVENTS; i++) {
            String key = prefix + "/change/" + i;
            Step change = wire.change(key);
            swarm.beginAll(clients, client -> wire.awaitChange(key));
            swarm.settle();
            long cpu = target.cpuMillis();
            long start = System.nanoTime();
            swarm.begin(writer, change);
            swarm.finish();
            for (Figure figure : figures) {
                addEvent(figure, start, cpu);
            }
        }
    }

    private static Step[] stepsOf(int count, IntFunction<Step> steps) {
        Step[] all = new Step[count];
        for (int i = 0; i < count; i++) {
            all[i] = steps.apply(i);
        }
        return all;
    }

    private void add(Figure figure, double value, Histogram nanos, long cpuBefore) throws IOException {
        double p50 = nanos.getValueAtPercentile(50) / 1e3;
        double p99 = nanos.getValueAtPercentile(99) / 1e3;
        samples.add(figure, target.kind(), new Sample(value, p50, p99, target.cpuMillis() - cpuBefore));
    }

    private void addEvent(Figure figure, long start, long cpuBefore) throws IOException {
        double millis = (System.nanoTime() - start) / 1e6;
        samples.add(figure, target.kind(), new Sample(millis, null, null, target.cpuMillis() - cpuBefore));
    }
}
