package dev.resiliency.examples.bench.store;

import dev.resiliency.examples.bench.measure.ChildProcess;
import java.io.IOException;

/** A measured server, and its protocol. */
public record Target(ServerKind kind, Wire wire, ChildProcess process) implements AutoCloseable {

    /** The kinds of servers. */
    public enum ServerKind {
        /** The server of this project. */
        OURS,
        /** PyTorch's server. */
        PEER,
        /** The server that only writes. */
        FLOOR;

        /** Returns its name in reports. */
        public String title() {
            return switch (this) {
                case OURS -> "ours";
                case PEER -> "peer";
                case FLOOR -> "floor";
            };
        }
    }

    /** Returns its name in reports. */
    public String name() {
        return kind.title();
    }

    /** Returns its port on 127.0.0.1. */
    public int port() {
        return Integer.parseInt(process.firstLine());
    }

    /** Returns its CPU time in milliseconds. */
    public long cpuMillis() throws IOException {
        return process.cpuMillis();
    }

    @Override
    public void close() {
        process.close();
    }
}
