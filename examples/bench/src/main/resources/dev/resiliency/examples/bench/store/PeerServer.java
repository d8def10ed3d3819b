import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.bytedeco.pytorch.IntOptional;
import org.bytedeco.pytorch.TCPStore;
import org.bytedeco.pytorch.TCPStoreOptions;

/**
 * The process of PyTorch's server: prints its port and serves until its standard input ends. Started from this source.
 *
 * <p>It is given a socket that speaks IPv4. One of its own speaks both, and then the server, which looks up the name of
 * every client on its only thread, asks DNS for ::ffff:127.0.0.1 instead of finding 127.0.0.1 in the hosts file.
 */
final class PeerServer {
    private static final int BACKLOG = 4096;

    public static void main(String[] arguments) throws IOException {
        Set<Integer> before = sockets();
        ServerSocketChannel socket = ServerSocketChannel.open(); // the store closes it
        Set<Integer> opened = sockets();
        opened.removeAll(before);
        socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), BACKLOG);
        int port = socket.socket().getLocalPort();
        TCPStoreOptions options = new TCPStoreOptions();
        options.port((short) port);
        options.masterListenFd(new IntOptional(opened.iterator().next()));
        options.isServer(true);
        options.waitWorkers(false);
        options.useLibUV(true);
        try (TCPStore store = new TCPStore("127.0.0.1", options)) {
            System.out.println(port);
            while (System.in.read() >= 0) {
                // nothing is said there
            }
        }
    }

    private static Set<Integer> sockets() throws IOException {
        Set<Integer> sockets = new HashSet<>();
        for (File descriptor : new File("/proc/self/fd").listFiles()) {
            Path link = descriptor.toPath();
            if (Files.isSymbolicLink(link) && Files.readSymbolicLink(link).toString().startsWith("socket:")) {
                sockets.add(Integer.valueOf(descriptor.getName()));
            }
        }
        return sockets;
    }
}
