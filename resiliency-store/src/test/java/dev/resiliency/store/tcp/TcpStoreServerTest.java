package dev.resiliency.store.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.resiliency.store.IndexSet;
import dev.resiliency.store.Store;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreLostException;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Barrier;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.StoreLimit;
import dev.resiliency.store.tcp.internal.client.Client;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(30)
class TcpStoreServerTest {
    private static final Duration LONG = Duration.ofSeconds(20);
    /** Enough for several attempts, even on a busy machine. */
    private static final Duration SHORT = Duration.ofSeconds(1);

    private static TcpStore.Builder client(int port) {
        return TcpStore.builder().port(port).connectTimeout(LONG).timeout(LONG);
    }

    private static CompletableFuture<TcpStore> connectInBackground(TcpStore.Builder builder) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                return builder.connect();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
    }

    // --- starting

    @Test
    void portInUseIsNamed() throws Exception {
        try (TcpStoreServer server = TcpStoreServer.builder().start()) {
            assertThatThrownBy(
                            () -> TcpStoreServer.builder().port(server.port()).start())
                    .isInstanceOf(StoreException.class)
                    .hasMessage("store server: 127.0.0.1:" + server.port()
                            + " is in use; end the process that listens there, or choose another port");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 65_536})
    void invalidPortIsRejected(int port) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TcpStoreServer.builder().port(port))
                .withMessage("port must be from 0 to 65535, not " + port);
    }

    @Test
    void valueMustFitIntoAFrame() throws Exception {
        TcpStoreServer.Builder builder = TcpStoreServer.builder().limit(StoreLimit.FRAME_BYTES, 4 << 20);
        assertThatThrownBy(builder::start)
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("max-frame-bytes is 4194304, and must be 8396864 or more")
                .hasMessageContaining("a value of 8388608 bytes (max-value-bytes)")
                .hasMessageContaining("a key of 8192 bytes (max-key-bytes)");
        assertThatThrownBy(TcpStoreServer.builder()
                        .limit(StoreLimit.VALUE_BYTES, Long.MAX_VALUE)
                        .limit(StoreLimit.KEY_BYTES, Long.MAX_VALUE)::start)
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("max-frame-bytes is 16777216");

        builder.limit(StoreLimit.VALUE_BYTES, 1 << 20).start().close();
    }

    @Test
    void publicAddressNeedsASecretTlsOrInsecure() throws Exception {
        assertThatThrownBy(() -> TcpStoreServer.builder().host("0.0.0.0").start())
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("0.0.0.0:0 can be reached from other machines")
                .hasMessageContaining("127.0.0.1")
                .hasMessageContaining("a secret, in a file named by RESILIENCY_STORE_SECRET_FILE or with secret(...)")
                .hasMessageContaining("insecure(true) or RESILIENCY_STORE_INSECURE=1");

        try (TcpStoreServer server =
                        TcpStoreServer.builder().host("0.0.0.0").insecure(true).start();
                TcpStore store = client(server.port()).connect()) {
            assertThat(store.add("counter", 1)).isEqualTo(1);
        }
    }

    @Test
    void unknownHostIsNamed() {
        assertThatThrownBy(() ->
                        TcpStoreServer.builder().host("no-such-host.invalid").start())
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("the host no-such-host.invalid is unknown");
    }

    // --- connecting

    @ParameterizedTest
    @ValueSource(ints = {-1, 0, 65_536, 295_000})
    void clientRejectsAnInvalidPort(int port) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TcpStore.builder().port(port))
                .withMessage("port must be from 1 to 65535, not " + port);
    }

    @Test
    void unreachableStoreIsNamed() throws Exception {
        int port = freePort();

        assertThatThrownBy(() -> client(port).connectTimeout(SHORT).connect())
                .isInstanceOf(StoreLostException.class)
                .hasMessageMatching("store at 127.0.0.1:" + port
                        + " could not be reached: tried \\d+ times? in \\d+\\.\\d s, last error: Connection refused");
    }

    @Test
    void unknownHostOfTheServerIsNamed() {
        assertThatThrownBy(() -> client(1)
                        .host("no-such-host.invalid")
                        .connectTimeout(SHORT)
                        .connect())
                .isInstanceOf(StoreLostException.class)
                .hasMessageContaining("last error: the host no-such-host.invalid is unknown");
    }

    @Test
    void interruptEndsConnecting() throws Exception {
        int port = freePort();
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                client(port).connect().close();
            } catch (InterruptedException | RuntimeException e) {
                thrown.complete(e);
            }
        });
        thread.start();
        thread.interrupt();

        assertThat(thrown.get()).isInstanceOf(InterruptedException.class);
    }

    @Test
    void clientWaitsForItsServerToStart() throws Exception {
        int port = freePort();
        CompletableFuture<TcpStore> connecting = connectInBackground(client(port));

        try (TcpStoreServer server = TcpStoreServer.builder().port(port).start();
                TcpStore store = connecting.get()) {
            assertThat(store.add("counter", server.port())).isEqualTo(port);
        }
    }

    @Test
    void clientWaitsUntilAServerOfAnotherScopeIsGone() throws Exception {
        TcpStoreServer old = TcpStoreServer.builder().scope("job-1").start();
        CompletableFuture<TcpStore> connecting =
                connectInBackground(client(old.port()).scope("job-2"));
        assertThatThrownBy(() ->
                        client(old.port()).scope("job-2").connectTimeout(SHORT).connect())
                .isInstanceOf(StoreLostException.class)
                .hasMessageContaining("the server serves the scope 'job-1', not 'job-2'");
        old.close();

        try (TcpStoreServer server =
                        TcpStoreServer.builder().scope("job-2").port(old.port()).start();
                TcpStore store = connecting.get()) {
            assertThat(store.add("counter", 1)).isEqualTo(1);
            assertThat(server).hasToString("TcpStoreServer(127.0.0.1:" + old.port() + ")");
            assertThat(store).hasToString("TcpStore(job-2 at 127.0.0.1:" + old.port() + ")");
        }
    }

    @Test
    void anotherVersionIsNotRetried() throws Exception {
        try (ServerSocket future = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            CompletableFuture<TcpStore> connecting = connectInBackground(client(future.getLocalPort()));
            try (Socket socket = future.accept()) {
                byte[] text = "the server speaks versions 2 to 3".getBytes(StandardCharsets.UTF_8);
                socket.getOutputStream().write(new byte[] {0, 0, 0, (byte) (11 + text.length), 17});
                socket.getOutputStream().write(new byte[] {0, 0, 0, 0, 0, 0, 0, 0, 1, (byte) text.length});
                socket.getOutputStream().write(text);
                socket.getInputStream().readNBytes(8 + 4 + 9 + 2);
            }

            assertThatThrownBy(connecting::get)
                    .isInstanceOf(ExecutionException.class)
                    .hasRootCauseMessage("the server speaks versions 2 to 3")
                    .cause()
                    .isInstanceOf(StoreException.class)
                    .isNotInstanceOf(StoreLostException.class);
        }
    }

    // --- ending

    @Test
    void clientsLoseAServerThatCloses() throws Exception {
        TcpStoreServer server = TcpStoreServer.builder().start();
        String address = "127.0.0.1:" + server.port();
        BlockingQueue<StoreException> losses = new LinkedBlockingQueue<>();
        try (TcpStore store = client(server.port()).connect();
                TcpStore other = client(server.port()).connect()) {
            store.onLost(losses::add);
            other.lastWill(new Operation.Set("will", Value.empty()));
            CompletableFuture<List<@Nullable Object>> waiting = store.submit(List.of(new Operation.Get("will")), LONG);
            store.keyCount(); // unread data would turn the server's close into a reset

            server.close();
            server.close();

            assertThatThrownBy(waiting::get)
                    .hasCauseInstanceOf(StoreLostException.class)
                    .hasMessageContaining("store at " + address + " was lost: the server closed the connection");
            assertThat(losses.poll(10, TimeUnit.SECONDS)).isInstanceOf(StoreLostException.class);
            assertThatThrownBy(() -> store.set("key", "text")).isInstanceOf(StoreLostException.class);
        }
    }

    @Test
    void serverWithGraceWaitsForGoodbyes() throws Exception {
        TcpStoreServer server = TcpStoreServer.builder().start();
        TcpStore store = client(server.port()).connect();
        CompletableFuture<Void> closed = CompletableFuture.runAsync(() -> server.close(LONG));
        await().until(() -> isRefused(server.port()));
        store.set("key", "text");
        assertThat(closed).isNotDone();

        store.close();

        closed.get();
    }

    @Test
    void graceIsLimited() throws Exception {
        TcpStoreServer server = TcpStoreServer.builder().start();
        try (TcpStore store = client(server.port()).connect()) {
            server.close(Duration.ofMillis(20));

            assertThatThrownBy(() -> store.set("key", "text")).isInstanceOf(StoreLostException.class);
        }
    }

    @Test
    void closedServerIsNotAwaited() throws Exception {
        TcpStoreServer server = TcpStoreServer.builder().start();
        server.close();

        assertThatCode(() -> server.closeWhenUnused(Duration.ofDays(1))).doesNotThrowAnyException();

        assertThat(threads()).doesNotContain("resiliency-store-server");
    }

    @Test
    void noThreadIsLeftBehind() throws Exception {
        TcpStoreServer server = TcpStoreServer.builder().start();
        TcpStore store = client(server.port()).name("rank-7").connect();
        TcpStore another = client(server.port()).name("rank-8").connect();
        assertThat(threads()).contains("resiliency-store-server", "resiliency-store-rank-7", "resiliency-store-rank-8");

        store.close();
        ((Client) another).abandon();
        another.close();
        server.close();

        assertThat(threads())
                .doesNotContain("resiliency-store-server", "resiliency-store-rank-7", "resiliency-store-rank-8");
    }

    @Test
    void listenerMayCloseTheStore() throws Exception {
        try (TcpStoreServer server = TcpStoreServer.builder().start()) {
            TcpStore store = client(server.port()).name("closed-by-listener").connect();
            store.watch("key", change -> store.close());
            try (TcpStore other = client(server.port()).connect()) {
                other.set("key", "text");
            }

            await().until(() -> !threads().contains("resiliency-store-closed-by-listener"));
        }
    }

    // --- several clients

    @Test
    void garbageFromOneClientDoesNotAffectOthers() throws Exception {
        try (TcpStoreServer server = TcpStoreServer.builder().start();
                TcpStore store = client(server.port()).connect()) {
            for (String garbage :
                    List.of("GET / HTTP/1.1\r\n\r\n", "\0\0\0\0", "RSLXRSLX", "RSLY\0\1\0\1\377\377\377\377")) {
                assertThat(answerTo(server.port(), garbage)).isEmpty();
            }

            assertThat(store.add("counter", 1)).isEqualTo(1);
        }
    }

    @Test
    void manyLargeAnswersAreAllDelivered() throws Exception {
        try (TcpStoreServer server = TcpStoreServer.builder().start();
                TcpStore store = client(server.port()).connect()) {
            store.set("key", Value.of(new byte[8 << 20]));
            List<CompletableFuture<List<@Nullable Object>>> answers = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                answers.add(store.submit(List.of(new Operation.Get("key")), LONG));
            }

            for (CompletableFuture<List<@Nullable Object>> answer : answers) {
                assertThat(answer.get()).hasSize(1);
            }
        }
    }

    @Test
    void manyClientsMeetAtABarrier() throws Exception {
        int clients = 100;
        Barrier barrier = Barrier.of("barrier", IndexSet.range(0, clients));
        List<TcpStore> stores = new ArrayList<>();
        try (TcpStoreServer server = TcpStoreServer.builder().start()) {
            List<CompletableFuture<?>> arrivals = new ArrayList<>();
            for (int rank = 0; rank < clients; rank++) {
                TcpStore store = client(server.port()).connect();
                stores.add(store);
                arrivals.add(store.submit(List.of(new Operation.Arrive(barrier, IndexSet.of(rank), true)), LONG));
            }

            CompletableFuture.allOf(arrivals.toArray(CompletableFuture[]::new)).get();
            stores.forEach(Store::close);
        }
    }

    // ---

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static boolean isRefused(int port) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return !socket.isConnected();
        } catch (IOException refused) {
            return true;
        }
    }

    /** Returns the server's answer until it closes the connection. */
    private static byte[] answerTo(int port, String garbage) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(garbage.getBytes(StandardCharsets.ISO_8859_1));
            InputStream in = socket.getInputStream();
            return in.readAllBytes();
        } catch (SocketException reset) {
            return new byte[0];
        }
    }

    private static Set<String> threads() {
        return Thread.getAllStackTraces().keySet().stream().map(Thread::getName).collect(Collectors.toSet());
    }
}
