package dev.resiliency.examples.bench.store;

import dev.resiliency.examples.bench.ChildProcess;
import java.io.IOException;

/** A server that is measured, and how it is spoken to. */
public record Target(Kind kind, Wire wire, ChildProcess process) implements AutoCloseable {

    /** Which servers there are. */
    public enum Kind {
        /** The one of this project. */
        OURS,
        /** PyTorch's. */
        PEER,
        /** The one that only writes. */
        FLOOR;

        /** As reports name it. */
        public String title() {
            return switch (this) {
                case OURS -> "ours";
                case PEER -> "peer";
                case FLOOR -> "floor";
            };
        }
    }

    /** As reports name it. */
    public String name() {
        return kind.title();
    }

    /** The port that it listens on, on 127.0.0.1. */
    public int port() {
        return Integer.parseInt(process.firstLine());
    }

    /** How long it has run on the cores, in milliseconds. */
    public long cpuMillis() throws IOException {
        return process.cpuMillis();
    }

    @Override
    public void close() {
        process.close();
    }
}
