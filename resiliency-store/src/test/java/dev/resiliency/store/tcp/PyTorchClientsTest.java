package dev.resiliency.store.tcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.store.StoreException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients of PyTorch's protocol, as the bytes that they send, beside our own on one server. */
@Timeout(30)
class PyTorchClientsTest {
    private static final Secret SECRET = Secret.of("0123456789abcdef".getBytes(UTF_8));
    private static final String OPENING = "00cef7853c" + "0d01020304";
    private static final String A = "02000000000000002f61";
    private static final String B = "02000000000000002f62";
    private static final String ONE = "010000000000000031";
    private static final String TWO = "010000000000000032";
    private static final String SET = "01";
    private static final String GET = "03";

    private static TcpStore.Builder client(TcpStoreServer server) {
        return TcpStore.builder().port(server.port()).connectTimeout(Duration.ofSeconds(10));
    }

    /** Connects a client of PyTorch's protocol. */
    private static Socket connect(TcpStoreServer server) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        assertThat(ask(socket, OPENING, 4)).isEqualTo("01020304");
        return socket;
    }

    private static String ask(Socket socket, String requests, int answerBytes) throws IOException {
        socket.getOutputStream().write(HexFormat.of().parseHex(requests));
        return HexFormat.of().formatHex(socket.getInputStream().readNBytes(answerBytes));
    }

    @Test
    void clientsOfBothKindsUseTheSameKeys() throws Exception {
        try (TcpStoreServer server = TcpStoreServer.builder().pytorch(true).start();
                TcpStore ours = client(server).connect();
                Socket pytorchs = connect(server)) {
            ours.set("a", "1");

            assertThat(ask(pytorchs, GET + A, 9)).isEqualTo(ONE);
            assertThat(ask(pytorchs, SET + B + TWO + GET + B, 9)).isEqualTo(TWO);
            assertThat(ours.get("b").text()).isEqualTo("2");
            assertThat(ours.keys("")).containsExactly("a", "b");
        }
    }

    @Test
    void secretKeepsPyTorchsClientsOutByDefault() throws Exception {
        TcpStoreServer.Builder builder = TcpStoreServer.builder().pytorch(true).secret(SECRET);

        assertThatThrownBy(builder::start)
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("--pytorch-beside-secret");
        try (TcpStoreServer both = builder.pytorchBesideSecret(true).start();
                Socket pytorchs = connect(both);
                TcpStore ours = client(both).secret(SECRET).connect()) {
            assertThat(ask(pytorchs, SET + A + ONE + GET + A, 9)).isEqualTo(ONE);
            assertThat(ours.get("a").text()).isEqualTo("1");
        }
    }

    @Test
    void clientOfOursIsToldOfAServerOfPyTorchs() throws Exception {
        try (FakePyTorchServer server = FakePyTorchServer.start(false)) {
            TcpStore.Builder client = TcpStore.builder().port(server.port());

            assertThatThrownBy(client::connect)
                    .isExactlyInstanceOf(StoreException.class)
                    .hasMessageContaining("a server of PyTorch's TCPStore")
                    .hasMessageContaining("'resiliency store'");
        }
    }
}
