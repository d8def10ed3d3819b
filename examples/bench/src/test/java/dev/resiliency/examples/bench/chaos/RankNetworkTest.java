package dev.resiliency.examples.bench.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RankNetworkTest {
    private static final Duration LONG = Duration.ofHours(1);
    private static final Duration SHORT = Duration.ofMillis(300);
    /** How long a test waits for what must not arrive. */
    private static final int SILENCE_MILLIS = 100;

    private final ServerSocket store = server();
    private RankNetwork network;
    private Socket client;
    private Socket accepted;

    private static ServerSocket server() {
        try {
            return new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @BeforeEach
    void setUp() throws IOException {
        network = new RankNetwork(store.getLocalPort());
        client = connect();
        accepted = store.accept();
    }

    @AfterEach
    void tearDown() throws IOException {
        client.close();
        accepted.close();
        network.close();
        store.close();
    }

    private Socket connect() throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), network.port());
    }

    private void fail(Outage.Direction direction, Duration length, boolean backsOff) {
        network.fail(new Outage(List.of(0), direction, Duration.ZERO, length, backsOff), System.nanoTime());
    }

    private static void assertPasses(Socket from, Socket to) throws IOException {
        from.getOutputStream().write(7);
        to.setSoTimeout(0);
        assertThat(to.getInputStream().read()).isEqualTo(7);
    }

    private static void assertIsHeldUp(Socket from, Socket to) throws IOException {
        from.getOutputStream().write(7);
        to.setSoTimeout(SILENCE_MILLIS);
        assertThatThrownBy(() -> to.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
    }

    @Test
    void networkPassesBytesAndEndsInBothDirections() throws IOException {
        assertPasses(client, accepted);
        assertPasses(accepted, client);

        client.shutdownOutput();
        assertThat(accepted.getInputStream().read()).isEqualTo(-1);
        assertPasses(accepted, client);
        accepted.close();
        assertThat(client.getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void outageHoldsUpBothDirectionsAndNewConnectionsAndTheEnd() throws IOException {
        fail(Outage.Direction.BOTH, LONG, false);

        assertIsHeldUp(client, accepted);
        assertIsHeldUp(accepted, client);
        try (Socket later = connect()) {
            later.getOutputStream().write(7);
            store.setSoTimeout(SILENCE_MILLIS);
            assertThatThrownBy(store::accept).isInstanceOf(SocketTimeoutException.class);
        }
        client.close();
        assertThatThrownBy(() -> accepted.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
    }

    @Test
    void outageInOneDirectionHoldsUpOnlyThat() throws IOException {
        fail(Outage.Direction.TO_STORE, LONG, false);
        assertIsHeldUp(client, accepted);
        assertPasses(accepted, client);
    }

    @Test
    void bytesArriveOnceTheOutageIsOverAndLaterWhereTcpBacksOff() throws IOException {
        long start = System.nanoTime();
        fail(Outage.Direction.BOTH, SHORT, true);

        try (Socket later = connect();
                Socket acceptedLater = store.accept()) {
            assertPasses(later, acceptedLater);
            assertThat(System.nanoTime() - start).isGreaterThan(SHORT.toNanos());
        }
        assertPasses(client, accepted);
        assertThat(System.nanoTime() - start).isGreaterThan(2 * SHORT.toNanos());
    }

    @Test
    void whenTheStoreIsGoneTheNetworkRefusesAsItsHostWould() throws IOException {
        store.close();
        accepted.close();
        assertThat(client.getInputStream().read()).isEqualTo(-1);

        connect().close();

        await().atMost(Duration.ofSeconds(30))
                .untilAsserted(() -> assertThatThrownBy(this::connect).isInstanceOf(ConnectException.class));
    }
}
