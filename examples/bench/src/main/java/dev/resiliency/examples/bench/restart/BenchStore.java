package dev.resiliency.examples.bench.restart;

import dev.resiliency.examples.bench.restart.MeasuredRanks.JobStore;
import dev.resiliency.store.tcp.TcpStoreServer;

/** The server of the stores of all measured jobs, one after the other, in this process. */
final class BenchStore implements AutoCloseable {
    private final TcpStoreServer server;
    private int jobs;

    BenchStore() throws InterruptedException {
        server = TcpStoreServer.builder().start();
    }

    /** Returns the store of a new job. */
    JobStore nextJob() {
        jobs++;
        return new JobStore(server.port(), "bench-" + jobs);
    }

    @Override
    public void close() {
        server.close();
    }
}
