package dev.resiliency.pytorch;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** On sockets of Java, which are to the kernel what Gloo's are. */
class GlooSocketsTest {
    private final NativeSockets sockets = requireNonNull(NativeSockets.find());
    private final ServerSocket listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());

    GlooSocketsTest() throws IOException {}

    @AfterEach
    void close() throws IOException {
        listener.close();
    }

    private static InetSocketAddress addressOf(ServerSocket server) {
        return new InetSocketAddress(server.getInetAddress(), server.getLocalPort());
    }

    @Test
    void bothEndsOfAConnectionAreCutAndTheListenerGoesOn() throws Exception {
        try (Socket connecting = new Socket(listener.getInetAddress(), listener.getLocalPort());
                Socket accepted = listener.accept()) {
            assertThat(new GlooSockets(sockets, Set.of(addressOf(listener))).cut())
                    .isEqualTo(2);

            assertThat(connecting.getInputStream().read()).isEqualTo(-1);
            assertThat(accepted.getInputStream().read()).isEqualTo(-1);
            try (Socket next = new Socket(listener.getInetAddress(), listener.getLocalPort());
                    Socket accepts = listener.accept()) {
                next.getOutputStream().write(7);
                assertThat(accepts.getInputStream().read()).isEqualTo(7);
            }
        }
    }

    @Test
    void connectionsOfOthersStay() throws Exception {
        try (ServerSocket other = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                Socket connecting = new Socket(other.getInetAddress(), other.getLocalPort());
                Socket accepted = other.accept()) {
            assertThat(new GlooSockets(sockets, Set.of(addressOf(listener))).cut())
                    .isZero();

            connecting.getOutputStream().write(7);
            assertThat(accepted.getInputStream().read()).isEqualTo(7);
        }
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

    @Test
    void addressesSurviveTheStore() throws Exception {
        for (InetSocketAddress address :
                Set.of(new InetSocketAddress("10.0.0.7", 29500), new InetSocketAddress("fe80::1", 65535))) {
            assertThat(SocketAddresses.parse(SocketAddresses.text(address))).isEqualTo(address);
        }
    }

    @Test
    void ownerOfAConnectionIsFound() throws Exception {
        try (Socket connecting = new Socket(listener.getInetAddress(), listener.getLocalPort());
                Socket accepted = listener.accept()) {
            assertThat(LocalUser.owns(accepted)).isTrue();
            assertThat(connecting.isConnected()).isTrue();
        }
    }

    @Test
    void lineOfAnotherConnectionIsNotTaken() {
        String line = "   3: 0100007F:1F90 0100007F:C001 01 00000000:00000000 00:00000000 00000000  1000 0 77 1";

        assertThat(LocalUser.isOtherEnd(line, 0x1F90, 0xC001)).isTrue();
        assertThat(LocalUser.isOtherEnd(line, 0xC001, 0x1F90)).isFalse();
    }
}
