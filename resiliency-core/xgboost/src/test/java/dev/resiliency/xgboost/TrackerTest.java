package dev.resiliency.xgboost;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.resiliency.store.Store;
import dev.resiliency.store.spi.InMemoryStore;
import dev.resiliency.testing.FakeCallWrapper;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The messages of XGBoost's worker, as its versions 3.3 and 3.4 send them, and the answers that it expects. */
class TrackerTest {
    private static final String MAGIC = "99ff0000";
    private static final Map<String, Object> HELLO = Map.of("world_size", -1, "rank", -1, "task_id", "");

    private final Store store = InMemoryStore.create();
    private final FakeCallWrapper call = new FakeCallWrapper(1, 3, store);
    private final Tracker tracker;

    TrackerTest() throws Exception {
        tracker = Tracker.start(call, Duration.ofSeconds(30));
    }

    @AfterEach
    void close() {
        tracker.close();
    }

    /** A worker that has introduced itself, and sends one command. */
    private final class Worker implements AutoCloseable {
        private final Socket socket = new Socket(InetAddress.getByName(tracker.host()), tracker.port());
        private final TrackerMessages messages = new TrackerMessages(socket.getInputStream(), socket.getOutputStream());

        Worker(Map<String, Object> command) throws IOException {
            socket.setSoTimeout(20_000);
            messages.open();
            messages.write(HELLO);
            messages.write(command);
        }

        JsonNode read() throws IOException {
            return messages.read();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private static Map<String, Object> start() {
        return Map.of("cmd", 1, "port", 4001, "error_port", 4002);
    }

    @Test
    void bytesAreThoseOfXGBoost() throws Exception {
        String hello = "2c000000" + hex("{\"world_size\":-1,\"rank\":-1,\"task_id\":\"rank-1\"}") + "09000000"
                + hex("{\"cmd\":2}");
        try (Socket socket = new Socket(InetAddress.getByName(tracker.host()), tracker.port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(HexFormat.of().parseHex(MAGIC + hello));
            byte[] magic = new DataInputStream(socket.getInputStream()).readNBytes(4);
            assertThat(HexFormat.of().formatHex(magic)).isEqualTo(MAGIC);
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(UTF_8));
    }

    @Test
    void workerLearnsTheWorldAndTheNextRankOnceAllHaveCome() throws Exception {
        try (Worker worker = new Worker(start())) {
            assertThat(worker.read().toString()).isEqualTo("{\"world_size\":3}");
            assertThat(store.get("xgboost/group/1/1").text()).isEqualTo("127.0.0.1/4001");
            store.set("xgboost/group/1/0", "10.0.0.1/7000");
            store.set("xgboost/group/1/2", "10.0.0.2/8000");

            JsonNode next = worker.read();
            assertThat(next.get("rank").intValue()).isEqualTo(2);
            assertThat(next.get("host").textValue()).isEqualTo("10.0.0.2");
            assertThat(next.get("port").intValue()).isEqualTo(8000);
        }
        assertThat(tracker.addresses()).hasSize(3);
        assertThat(tracker.worker()).isEqualTo(new Tracker.Worker(4001, 4002));
    }

    @Test
    void secondGroupOfAnIterationHasOtherKeys() throws Exception {
        try (Tracker second = Tracker.start(call, Duration.ofSeconds(30));
                Socket socket = new Socket(InetAddress.getByName(second.host()), second.port())) {
            TrackerMessages messages = new TrackerMessages(socket.getInputStream(), socket.getOutputStream());
            messages.open();
            messages.write(HELLO);
            messages.write(start());
            assertThat(store.get("xgboost/group/2/1").text()).isEqualTo("127.0.0.1/4001");
        }
    }

    @Test
    void abortEndsTheWaitForOtherRanksAndLaterRequestsAreAnswered() throws Exception {
        try (Worker worker = new Worker(start())) {
            worker.read();
            store.get("xgboost/group/1/1");

            tracker.abort();

            assertThatThrownBy(worker::read).isInstanceOf(EOFException.class);
        }
        try (Worker leaving = new Worker(Map.of("cmd", 2))) {
            assertThatThrownBy(leaving::read).isInstanceOf(EOFException.class);
        }
    }

    /** XGBoost leaves a listener behind if it is refused, which only its port tells. */
    @Test
    void portsAreLearnedEvenAfterTheAbort() throws Exception {
        tracker.abort();
        try (Worker worker = new Worker(start())) {
            worker.read();
            assertThatThrownBy(worker::read).isInstanceOf(EOFException.class);
        }
        assertThat(tracker.worker()).isEqualTo(new Tracker.Worker(4001, 4002));
    }

    @Test
    void ranksThatDoNotComeAreNamed() throws Exception {
        try (Tracker hasty = Tracker.start(call, Duration.ZERO)) {
            store.set("xgboost/group/2/0", "10.0.0.1/7000");

            assertThat(hasty.meet(new Tracker.Worker(4001, 4002))).isNull();
            assertThat(hasty.problem()).isEqualTo("active ranks {2} have not come to create the group within 0 s");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "00000000",
                MAGIC + "ffffffff",
                MAGIC + "ffffff7f",
                MAGIC + "02000000" + "7b7d" + "02000000" + "7b7d"
            })
    void whatIsNoWorkerIsDisconnected(String bytes) throws Exception {
        try (Socket socket = new Socket(InetAddress.getByName(tracker.host()), tracker.port())) {
            socket.setSoTimeout(20_000);
            socket.getOutputStream().write(HexFormat.of().parseHex(bytes));
            socket.shutdownOutput();
            assertThat(socket.getInputStream().readAllBytes()).hasSize(4);
        }
    }
}
