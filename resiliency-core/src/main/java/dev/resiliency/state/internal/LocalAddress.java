package dev.resiliency.state.internal;

import dev.resiliency.store.spi.StoreAddress;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/** Finds the address at which the other ranks reach this one. */
final class LocalAddress {
    private LocalAddress() {}

    /**
     * Returns the address of the network interface that leads to the job's store; the loopback address if the store is in
     * this process.
     */
    static InetAddress towards(@Nullable StoreAddress store) throws IOException {
        if (store == null) {
            return InetAddress.getLoopbackAddress();
        }
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(new InetSocketAddress(InetAddress.getByName(store.host()), store.port())); // sends nothing
            return socket.getLocalAddress();
        }
    }
}
