package dev.resiliency.inprocess.spi.socket;

import dev.resiliency.store.spi.StoreAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.jspecify.annotations.Nullable;

/**
 * Finds the address at which the other ranks reach this one.
 *
 * @since 0.1.0
 */
public final class LocalAddress {
    private static final String LOCALHOST = "localhost";

    /** An address that is reserved for documents, so the way to it is that to other networks. */
    private static final InetSocketAddress ELSEWHERE = new InetSocketAddress("192.0.2.1", 9);

    private LocalAddress() {}

    /**
     * Returns the address of the network interface that leads to the job's store; the loopback address if the store is in
     * this process. On many hosts the own name is that of a loopback address, at which others do not reach it: if the store
     * has such a name, the address of the interface that leads to other networks, if there is one.
     */
    public static InetAddress towards(@Nullable StoreAddress store) throws IOException {
        if (store == null) {
            return InetAddress.getLoopbackAddress();
        }
        InetAddress own = localAddress(new InetSocketAddress(InetAddress.getByName(store.host()), store.port()));
        return own.isLoopbackAddress() && !isLoopback(store.host()) ? toOtherNetworks(own) : own;
    }

    /** Returns whether a name or an address means its own host to whoever reads it. */
    public static boolean isLoopback(String host) {
        return host.equalsIgnoreCase(LOCALHOST)
                || host.startsWith("127.")
                || host.equals("::1")
                || host.equals("0:0:0:0:0:0:0:1");
    }

    private static InetAddress toOtherNetworks(InetAddress otherwise) {
        try {
            InetAddress own = localAddress(ELSEWHERE);
            return own.isAnyLocalAddress() ? otherwise : own;
        } catch (IOException | UncheckedIOException noRoute) {
            return otherwise;
        }
    }

    /** Returns the address from which packets would be sent there. */
    private static InetAddress localAddress(InetSocketAddress remote) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(remote); // sends nothing
            return socket.getLocalAddress();
        }
    }
}
