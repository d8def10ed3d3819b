package dev.resiliency.examples.bench.chaos;

import dev.resiliency.examples.bench.measure.ChildProcess;
import dev.resiliency.examples.bench.store.OwnServer;
import java.io.IOException;
import java.util.List;

/** Runs a store server in a process of its own. */
final class StoreServer implements AutoCloseable {
    private final ChildProcess process;

    StoreServer() throws IOException {
        process = ChildProcess.startJava(
                System.getProperty("java.class.path"),
                List.of("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", OwnServer.class.getName()));
    }

    int port() {
        return Integer.parseInt(process.firstLine());
    }

    @Override
    public void close() {
        process.close();
    }
}
