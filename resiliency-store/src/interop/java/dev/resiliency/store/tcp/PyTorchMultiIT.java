package dev.resiliency.store.tcp;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.Socket;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** MULTI_GET and MULTI_SET, which JavaCPP does not support: the bytes that PyTorch's client sends, on both servers. */
class PyTorchMultiIT {
    private static final String OPENING = "00cef7853c" + "0d01020304";
    private static final String A = "02000000000000002f61";
    private static final String B = "02000000000000002f62";
    private static final String ONE = "010000000000000031";
    private static final String TWO = "020000000000000032" + "32";
    private static final String TWO_ENTRIES = "0200000000000000";

    @Test
    void onPyTorchsServer() throws Exception {
        try (PyTorchStore server = PyTorchStore.serve()) {
            setsAndGets(server.port());
        }
    }

    @Test
    void onOurServer() throws Exception {
        try (TcpStoreServer server = TcpStoreServer.builder().pytorch(true).start()) {
            setsAndGets(server.port());
        }
    }

    private static void setsAndGets(int port) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            assertThat(ask(socket, OPENING, 4)).isEqualTo("01020304");
            String multiSet = "0b" + TWO_ENTRIES + A + ONE + B + TWO;
            String multiGet = "0a" + TWO_ENTRIES + B + A;

            assertThat(ask(socket, multiSet + multiGet, 19)).isEqualTo(TWO + ONE);
        }
    }

    private static String ask(Socket socket, String request, int answerBytes) throws Exception {
        socket.getOutputStream().write(HexFormat.of().parseHex(request));
        return HexFormat.of().formatHex(socket.getInputStream().readNBytes(answerBytes));
    }
}
