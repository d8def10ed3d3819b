package dev.resiliency.pytorch;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bytedeco.javacpp.chrono.Milliseconds;
import org.bytedeco.pytorch.GlooDeviceVector;
import org.bytedeco.pytorch.ProcessGroupGloo;
import org.bytedeco.pytorch.Store;
import org.bytedeco.pytorch.TCPStore;
import org.bytedeco.pytorch.TCPStoreOptions;
import org.bytedeco.pytorch.gloo.Device;
import org.jspecify.annotations.Nullable;

/** Creates the native objects of a Gloo group: first the listener of this rank, then the connections to all ranks. */
final class GlooConnector {
    /** As PyTorch names the network interface to use. Without it, it is that of the address of this host's name. */
    private static final String INTERFACE = "GLOO_SOCKET_IFNAME";

    private static final Pattern ADDRESS = Pattern.compile("addr=\\[([^\\]]+)\\]");
    /** Another thread may open a listener at the same address at the same time. */
    private static final int ATTEMPTS = 5;

    private final int rank;
    private final int size;
    private final StoreBridge bridge;
    private final Duration connectTimeout;
    private final Duration timeout;
    private final Device device;
    private final @Nullable InetSocketAddress address;

    /**
     * Opens the listener.
     *
     * @throws IllegalStateException if it cannot be told from other listeners of this process
     */
    GlooConnector(int rank, int size, StoreBridge bridge, Duration connectTimeout, Duration timeout)
            throws IOException {
        this.rank = rank;
        this.size = size;
        this.bridge = bridge;
        this.connectTimeout = connectTimeout;
        this.timeout = timeout;
        NativeSockets sockets = NativeSockets.find();
        Device opened = open();
        InetSocketAddress address = null;
        if (sockets != null) {
            for (int i = 0; i < ATTEMPTS && address == null; i++) {
                opened.close();
                Set<InetSocketAddress> before = sockets.listeners();
                opened = open();
                address = onlyNew(before, sockets.listeners(), ip(opened.str().getString()));
            }
            if (address == null) {
                opened.close();
                throw new IllegalStateException("this process opens too many sockets to find the one of the group");
            }
        }
        this.device = opened;
        this.address = address;
    }

    private static Device open() {
        String networkInterface = System.getenv(INTERFACE);
        return networkInterface == null
                ? ProcessGroupGloo.createDefaultDevice()
                : ProcessGroupGloo.createDeviceForInterface(networkInterface);
    }

    /** Returns the IP address in the description of a device: Gloo does not tell the port. */
    static String ip(String device) {
        Matcher address = ADDRESS.matcher(device);
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

    /** Returns the address of the listener; null without JNA, where nobody needs it. */
    @Nullable
    InetSocketAddress address() {
        return address;
    }

    /** Connects to all ranks; blocks until they do the same, for the connect timeout at most. */
    GlooBackend connect() {
        // Only a clone may be passed on: what Java creates has no owner that PyTorch knows of, and ends the JVM the
        // second time.
        try (Milliseconds connecting = new Milliseconds(connectTimeout.toMillis());
                Milliseconds operating = new Milliseconds(timeout.toMillis());
                TCPStoreOptions storeOptions = new TCPStoreOptions()
                        .isServer(false)
                        .port((short) bridge.port())
                        .waitWorkers(false)
                        .timeout(connecting);
                TCPStore client = new TCPStore(bridge.host(), storeOptions);
                Store store = client.clone();
                ProcessGroupGloo.Options options = new ProcessGroupGloo.Options(connecting);
                GlooDeviceVector devices = new GlooDeviceVector(device)) {
            options.devices(devices);
            ProcessGroupGloo gloo = new ProcessGroupGloo(store, rank, size, options);
            gloo.setTimeout(operating);
            return GlooBackend.of(gloo, store, rank, size);
        } finally {
            device.close();
        }
    }
}
