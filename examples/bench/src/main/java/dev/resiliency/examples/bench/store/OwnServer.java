package dev.resiliency.examples.bench.store;

import dev.resiliency.store.tcp.TcpStoreServer;
import java.io.IOException;

/** Runs our server: prints its port and serves until its standard input ends. */
public final class OwnServer {
    private OwnServer() {}

    /** Takes no arguments. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        try (TcpStoreServer server = TcpStoreServer.builder().secret(null).start()) {
            System.out.println(server.port());
            while (System.in.read() >= 0) {
                // standard input is silent
            }
        }
    }
}
