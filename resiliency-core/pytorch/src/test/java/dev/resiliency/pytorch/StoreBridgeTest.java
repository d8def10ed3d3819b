package dev.resiliency.pytorch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.resiliency.store.Store;
import dev.resiliency.store.spi.InMemoryStore;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The bytes of PyTorch's client, as its version 2.10 sends them, and the answers that it expects. */
class StoreBridgeTest {
    private static final String OPENING = "00cef7853c" + "0d01020304";
    private static final String KEY = "04" + "00000000000000" + "2f6b6579"; // "/key"
    private static final String OTHER = "02" + "00000000000000" + "2f6f"; // "/o"
    private static final String TEXT = "04" + "00000000000000" + "74657874"; // "text"
    private static final String TWO = "0200000000000000";
    private static final String EMPTY = "0000000000000000";

    private final Store store = InMemoryStore.create();
    private StoreBridge bridge;
    private Socket client;

    @BeforeEach
    void connect() throws IOException {
        bridge = StoreBridge.start(store, "group", socket -> true);
        client = connected();
    }

    private Socket connected() throws IOException {
        Socket socket = new Socket(InetAddress.getByName(bridge.host()), bridge.port());
        socket.setSoTimeout(10_000);
        assertThat(ask(socket, OPENING, 4)).isEqualTo("01020304");
        return socket;
    }

    @AfterEach
    void close() throws Exception {
        client.close();
        bridge.close();
    }

    private static String ask(Socket socket, String request, int answerBytes) throws IOException {
        socket.getOutputStream().write(HexFormat.of().parseHex(request));
        byte[] answer = new byte[answerBytes];
        new DataInputStream(socket.getInputStream()).readFully(answer);
        return HexFormat.of().formatHex(answer);
    }

    @Test
    void valuesAreThoseOfTheStoreBelowThePrefix() throws Exception {
        assertThat(ask(client, "01" + KEY + TEXT + "03" + KEY, 12)).isEqualTo(TEXT);
        assertThat(store.get("group/key").text()).isEqualTo("text");

        store.set("group/o", "text");
        assertThat(ask(client, "0a" + TWO + OTHER + KEY, 24)).isEqualTo(TEXT + TEXT);
        assertThat(ask(client, "07", 8)).isEqualTo(TWO);
    }

    @Test
    void absentKeyHasNoValue() throws Exception {
        assertThat(ask(client, "03" + KEY, 8)).isEqualTo(EMPTY);
        assertThat(ask(client, "050100000000000000" + KEY, 1)).isEqualTo("01");
    }

    @Test
    void countersAppendsAndComparisonsAreThoseOfTheStore() throws Exception {
        assertThat(ask(client, "04" + KEY + "0300000000000000", 8)).isEqualTo("0300000000000000");
        assertThat(store.get("group/key").text()).isEqualTo("3");
        assertThat(ask(client, "09" + OTHER + TEXT + "08" + OTHER, 8)).isEqualTo("0100000000000000");
        assertThat(ask(client, "02" + OTHER + EMPTY + TEXT, 12)).isEqualTo(TEXT);
        assertThat(ask(client, "0b" + TWO + KEY + TEXT + OTHER + TEXT + "05" + TWO + KEY + OTHER, 1))
                .isEqualTo("00");
    }

    @Test
    void waitEndsWhenAnotherRankWritesTheKey() throws Exception {
        CompletableFuture<String> waiting =
                CompletableFuture.supplyAsync(() -> answered("060100000000000000" + KEY, 1));

        store.set("group/key", "text");

        assertThat(waiting.get()).isEqualTo("00");
    }

    private String answered(String request, int bytes) {
        try {
            return ask(client, request, bytes);
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Test
    void cancelledWaitLeavesTheConnectionUsable() throws Exception {
        assertThat(ask(client, "060100000000000000" + KEY + "0c", 1)).isEqualTo("01");
        assertThat(ask(client, "07", 8)).isEqualTo(EMPTY);
    }

    @Test
    void abortEndsAWaitAndRefusesMore() throws Exception {
        CompletableFuture<String> waiting =
                CompletableFuture.supplyAsync(() -> answered("060100000000000000" + KEY, 1));

        bridge.abort();

        assertThat(waiting.get()).containsPattern("EOFException|SocketException");
        assertThat(CompletableFuture.supplyAsync(() -> refusal()).get()).contains("Exception");
    }

    private String refusal() {
        try (Socket late = connected()) {
            return "connected to " + late;
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Test
    void whoIsNotAllowedIsNotServed() throws Exception {
        StoreBridge closed = StoreBridge.start(store, "group", socket -> false);
        try (Socket socket = new Socket(InetAddress.getByName(closed.host()), closed.port())) {
            socket.setSoTimeout(10_000);
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        } finally {
            closed.close();
        }
    }

    @Test
    void unknownBytesEndTheConnectionOnly() throws Exception {
        for (String bytes : List.of("ff", "0e" + KEY + TEXT, "03ffffffffffffffff")) {
            try (Socket broken = connected()) {
                broken.getOutputStream().write(HexFormat.of().parseHex(bytes));
                assertThat(broken.getInputStream().read()).as(bytes).isEqualTo(-1);
            }
        }
        assertThat(ask(client, "07", 8)).isEqualTo(EMPTY);
    }
}
