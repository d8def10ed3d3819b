package dev.resiliency.pytorch;

import dev.resiliency.inprocess.spi.socket.NativeSockets;
import dev.resiliency.inprocess.spi.socket.SocketAddresses;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bytedeco.pytorch.ProcessGroupGloo;
import org.bytedeco.pytorch.gloo.Device;
import org.jspecify.annotations.Nullable;

/**
 * The socket of a rank at which Gloo accepts the connections of others.
 *
 * @param device Gloo's object, which owns the socket
 * @param address null without JNA, where nobody needs it
 */
record GlooListener(Device device, @Nullable InetSocketAddress address) implements AutoCloseable {
    /** As PyTorch names the network interface to use. Without it, it is that of the address of this host's name. */
    private static final String INTERFACE = "GLOO_SOCKET_IFNAME";

    private static final Pattern IP = Pattern.compile("addr=\\[([^\\]]+)\\]");
    /** Another thread may open a listener at the same address at the same time. */
    private static final int ATTEMPTS = 5;

    /**
     * Opens a listener.
     *
     * @throws IllegalStateException if it cannot be distinguished from other listeners of this process
     */
    static GlooListener open() throws IOException {
        NativeSockets sockets = NativeSockets.find();
        if (sockets == null) {
            return new GlooListener(openDevice(), null);
        }
        for (int i = 0; i < ATTEMPTS; i++) {
            Set<InetSocketAddress> before = sockets.listeners();
            Device device = openDevice();
            InetSocketAddress address =
                    onlyNew(before, sockets.listeners(), ip(device.str().getString()));
            if (address != null) {
                return new GlooListener(device, address);
            }
            device.close();
        }
        throw new IllegalStateException("this process opens too many sockets to find that of the group");
    }

    private static Device openDevice() {
        String networkInterface = System.getenv(INTERFACE);
        return networkInterface == null
                ? ProcessGroupGloo.createDefaultDevice()
                : ProcessGroupGloo.createDeviceForInterface(networkInterface);
    }

    /** Returns the IP address in the description of a device: Gloo does not tell the port. */
    static String ip(String device) {
        Matcher address = IP.matcher(device);
        if (!address.find()) {
            throw new IllegalStateException("no address in Gloo's device " + device);
        }
        return address.group(1);
    }

    /** Returns the listener that has come at this IP address; null if none or several have. */
    static @Nullable InetSocketAddress onlyNew(Set<InetSocketAddress> before, Set<InetSocketAddress> after, String ip) {
        List<InetSocketAddress> found = after.stream()
                .filter(each -> !before.contains(each))
                .filter(each -> SocketAddresses.ip(each).equals(ip))
                .toList();
        return found.size() == 1 ? found.get(0) : null;
    }

    @Override
    public void close() {
        device.close();
    }
}
