package dev.resiliency.examples.bench.chaos;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The network between the processes of a job and its store. If rank 0 hosts the store, it needs no network, and the others
 * reach it through theirs.
 */
final class Network implements AutoCloseable {
    private final int storePort;
    private final JobSettings settings;
    private final Map<Integer, RankNetwork> networks = new HashMap<>(); // by process

    Network(JobSettings settings, int storePort) {
        this.storePort = storePort;
        this.settings = settings;
    }

    /** Opens the network of a process; returns the port at which it finds the store. */
    int open(int process, int rank) throws IOException {
        if (!settings.isRemote(rank)) {
            return storePort;
        }
        RankNetwork network = new RankNetwork(storePort);
        networks.put(process, network);
        return network.port();
    }

    /** Names the system's process. */
    void belongsTo(int process, long pid) {
        RankNetwork network = networks.get(process);
        if (network != null) {
            network.belongsTo(pid);
        }
    }

    /** Lets an outage happen, counted from this {@link System#nanoTime}; returns when its last connection is back. */
    long fail(Outage outage, long start) {
        long begin = start + outage.delay().toNanos();
        for (int process : outage.processes()) {
            RankNetwork network = networks.get(process);
            if (network != null) {
                network.fail(outage, begin);
            }
        }
        return begin + outage.silence().toNanos();
    }

    /** Closes the network of a process that has ended. */
    void close(int process) throws IOException {
        @Nullable RankNetwork network = networks.remove(process);
        if (network != null) {
            network.close();
        }
    }

    @Override
    public void close() throws IOException {
        for (RankNetwork network : networks.values()) {
            network.close();
        }
    }
}
