package dev.resiliency.launcher.rendezvous;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;

/**
 * Where rank 0 may host a store for PyTorch's clients in a cycle: {@code MASTER_ADDR} and {@code MASTER_PORT}. Each cycle has a port
 * of its own, since PyTorch takes what it finds in a store for that of the same start.
 *
 * @param host as the other nodes know it
 */
public record Master(String host, int port) {
    /** Returns one on this host, at a port that is free now. */
    public static Master here(String host) {
        try (ServerSocket free = new ServerSocket(0)) {
            return new Master(host, free.getLocalPort());
        } catch (IOException e) {
            throw new UncheckedIOException("no port is free for rank 0", e);
        }
    }

    String text() {
        return port + " " + host;
    }

    static Master read(String text) {
        String[] fields = text.split(" ", 2);
        return new Master(fields[1], Integer.parseInt(fields[0]));
    }
}
