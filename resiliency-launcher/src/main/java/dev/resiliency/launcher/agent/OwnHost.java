package dev.resiliency.launcher.agent;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The name and the address of this host, also where its name cannot be resolved, as with the network of another host. */
final class OwnHost {
    private static final Path NAME = Path.of("/proc/sys/kernel/hostname");
    private static final String LOOPBACK = "127.0.0.1";

    private OwnHost() {}

    /** Returns the name that the kernel has. */
    static String name() {
        try {
            String name = Files.readString(NAME).strip();
            return name.isEmpty() ? "localhost" : name;
        } catch (IOException e) {
            return "localhost";
        }
    }

    /** Returns the address of its name, or, if that is none by which others know it, the one from which it reaches the store. */
    static String address(String storeHost, int storePort) {
        try {
            InetAddress own = InetAddress.getLocalHost();
            if (!own.isLoopbackAddress()) {
                return own.getHostAddress();
            }
        } catch (UnknownHostException e) {
            // The network knows.
        }
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(new InetSocketAddress(storeHost, storePort)); // sends nothing
            return socket.getLocalAddress().getHostAddress();
        } catch (IOException | RuntimeException e) {
            return LOOPBACK;
        }
    }
}
