package dev.resiliency.pytorch;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.spi.socket.LocalUser;
import dev.resiliency.inprocess.spi.socket.LoopbackServer;
import dev.resiliency.store.Store;
import java.io.IOException;
import java.net.Socket;
import java.util.function.Predicate;

/**
 * Serves the protocol of PyTorch's TCPStore on the loopback interface, backed by the store of an iteration. So the ranks
 * meet through that store, with its secret, its TLS and its prefix, and no rank hosts a server for the others.
 *
 * <p>Threads: {@code resiliency-pytorch-store}, and one for each connection, until the group is closed.
 *
 * @param prefix of the group's keys in the store
 */
record StoreBridge(LoopbackServer server, String prefix) {

    /**
     * Starts a bridge to the store of an iteration, for one more group of it.
     *
     * @param backend names the group in messages
     * @throws ProcessGroupException if it cannot be started
     */
    static StoreBridge open(CallWrapper call, String backend) throws InterruptedException {
        int rank = call.state().activeRank();
        Store store = call.store();
        long number = store.add("pytorch/groups-of/" + rank, 1); // the same on all ranks
        try {
            return start(store, "pytorch/group/" + number, LocalUser::owns);
        } catch (IOException e) {
            throw new ProcessGroupException(
                    rank, backend, "cannot listen on the loopback interface: " + e.getMessage(), e);
        }
    }

    /**
     * Starts a bridge on a free port.
     *
     * @param prefix of the keys in the store
     * @param isAllowed decides on each connection whether it is served
     */
    static StoreBridge start(Store store, String prefix, Predicate<Socket> isAllowed) throws IOException {
        return new StoreBridge(
                LoopbackServer.start(
                        "resiliency-pytorch-store", isAllowed, socket -> new BridgeConnection(store, prefix, socket)),
                prefix);
    }

    String host() {
        return server.host();
    }

    int port() {
        return server.port();
    }

    /** Ends all requests at once: a client that waits for a key fails. */
    void abort() throws IOException {
        server.abort();
    }

    /** Ends all requests, and waits for the threads, for a limited time. */
    void close() {
        server.close();
    }
}
