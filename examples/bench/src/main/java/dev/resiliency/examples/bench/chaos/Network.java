package dev.resiliency.examples.bench.chaos;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * The network between the ranks of a job and its store. If rank 0 hosts the store, it needs no network, and the others
 * reach it through theirs.
 */
final class Network implements AutoCloseable {
    private final int storePort;
    private final JobSettings settings;
    private final List<RankNetwork> ranks = new ArrayList<>();

    Network(JobSettings settings, int storePort) throws IOException {
        this.storePort = storePort;
        this.settings = settings;
        for (int rank = 0; rank < settings.ranks(); rank++) {
            ranks.add(new RankNetwork(storePort));
        }
    }

    /** Returns the port at which a rank finds the store. */
    int port(int rank) {
        return settings.isRemote(rank) ? ranks.get(rank).port() : storePort;
    }

    /** Names the process of a rank. */
    void belongsTo(int rank, long pid) {
        ranks.get(rank).belongsTo(pid);
    }

    /** Lets an outage happen, counted from this {@link System#nanoTime}; returns when its last connection is back. */
    long fail(Outage outage, long start) {
        long begin = start + outage.delay().toNanos();
        outage.ranks().forEach(rank -> ranks.get(rank).fail(outage, begin));
        return begin + outage.silence().toNanos();
    }

    @Override
    public void close() throws IOException {
        for (RankNetwork rank : ranks) {
            rank.close();
        }
    }
}
