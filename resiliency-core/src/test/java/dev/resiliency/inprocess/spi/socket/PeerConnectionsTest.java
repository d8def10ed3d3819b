package dev.resiliency.inprocess.spi.socket;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** On sockets of Java, which are to the kernel what those of native libraries are. */
class PeerConnectionsTest {
    private final NativeSockets sockets = requireNonNull(NativeSockets.find());
    private final ServerSocket listener = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());

    PeerConnectionsTest() throws IOException {}

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
            assertThat(new PeerConnections(sockets, Set.of(addressOf(listener))).endReceiving())
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
            assertThat(new PeerConnections(sockets, Set.of(addressOf(listener))).endReceiving())
                    .isZero();

            connecting.getOutputStream().write(7);
            assertThat(accepted.getInputStream().read()).isEqualTo(7);
        }
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

    @Test
    void connectionThatIsBrokenIsSoForBothSides() throws Exception {
        try (Socket connecting = new Socket(listener.getInetAddress(), listener.getLocalPort());
                Socket accepted = listener.accept()) {
            assertThat(new PeerConnections(sockets, Set.of(addressOf(listener))).end())
                    .isPositive(); // the first breaks the other

            for (Socket side : List.of(connecting, accepted)) {
                side.setSoTimeout(20_000);
                assertThatThrownBy(() -> side.getInputStream().read()).isInstanceOf(SocketException.class);
                assertThatThrownBy(() -> side.getOutputStream().write(7)).isInstanceOf(IOException.class);
            }
        }
    }

    @Test
    void heldConnectionStaysWhenItsOwnerClosesItAndIsResetAtItsEnd() throws Exception {
        try (Socket connecting = new Socket(listener.getInetAddress(), listener.getLocalPort())) {
            HeldConnections held;
            try (Socket accepted = listener.accept()) {
                held = new PeerConnections(sockets, Set.of(addressOf(listener))).hold();
                accepted.getOutputStream().write(7);
            }
            assertThat(held.isEmpty()).isFalse();

            assertThat(connecting.getInputStream().read()).isEqualTo(7);
            connecting.setSoTimeout(100);
            assertThatThrownBy(() -> connecting.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);

            held.close();

            assertThat(held.isEmpty()).isTrue();
            connecting.setSoTimeout(20_000);
            assertThatThrownBy(() -> connecting.getInputStream().read())
                    .isInstanceOf(SocketException.class)
                    .hasMessageContaining("reset");
        }
    }

    @Test
    void heldConnectionsCanBeBrokenAtOnce() throws Exception {
        try (Socket connecting = new Socket(listener.getInetAddress(), listener.getLocalPort());
                Socket accepted = listener.accept();
                HeldConnections held = new PeerConnections(sockets, Set.of(addressOf(listener))).hold()) {
            held.end();

            for (Socket side : List.of(connecting, accepted)) {
                side.setSoTimeout(20_000);
                assertThatThrownBy(() -> side.getInputStream().read()).isInstanceOf(SocketException.class);
            }
        }
    }
}
