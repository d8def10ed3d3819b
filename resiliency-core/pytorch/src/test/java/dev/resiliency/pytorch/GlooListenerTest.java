package dev.resiliency.pytorch;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.inprocess.spi.socket.NativeSockets;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** On sockets of Java, which are to the kernel what Gloo's are. */
class GlooListenerTest {
    private final NativeSockets sockets = requireNonNull(NativeSockets.find());
    private final ServerSocket listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());

    GlooListenerTest() throws IOException {}

    @AfterEach
    void close() throws IOException {
        listener.close();
    }

    private static InetSocketAddress addressOf(ServerSocket server) {
        return new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
    }

    @Test
    void listenersOfThisProcessAreFound() throws Exception {
        Set<InetSocketAddress> before = sockets.listeners();
        assertThat(before).contains(addressOf(listener));

        try (ServerSocket opened = new ServerSocket(0, 5, InetAddress.getLoopbackAddress())) {
            Set<InetSocketAddress> after = sockets.listeners();
            assertThat(GlooListener.onlyNew(before, after, "127.0.0.1")).isEqualTo(addressOf(opened));
            assertThat(GlooListener.onlyNew(before, after, "10.0.0.1")).isNull();
        }
    }

    @Test
    void addressOfAListenerIsInGloosDescriptionOfIt() {
        assertThat(GlooListener.ip("tcp, pci=, iface=lo, speed=-1, addr=[127.0.0.1]"))
                .isEqualTo("127.0.0.1");
    }
}
