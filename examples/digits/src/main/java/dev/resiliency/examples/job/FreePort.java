package dev.resiliency.examples.job;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** Finds a port for a job. */
public final class FreePort {
    private FreePort() {}

    /** Returns a port of this machine that was free just now. */
    public static int find() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }
}
