package dev.resiliency.store.tcp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreLostException;
import dev.resiliency.store.StoreRequestException;
import dev.resiliency.store.StoreTimeoutException;
import dev.resiliency.store.Value;
import dev.resiliency.store.internal.emulation.EmulatedStoreContract;
import dev.resiliency.store.spi.EmulatedStore;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.spi.StoreAddress;
import dev.resiliency.store.tcp.internal.pytorch.PyTorchClient;
import dev.resiliency.store.tcp.internal.wire.Endpoint;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** PyTorch's protocol between our own client and server over a network. */
@Timeout(30)
class PyTorchClientsTest {
    private static final Secret SECRET = Secret.of("0123456789abcdef".getBytes(UTF_8));

    private final TcpStoreServer server;

    PyTorchClientsTest() throws InterruptedException {
        server = TcpStoreServer.builder().pytorch(true).start();
    }

    @AfterEach
    void close() {
        server.close();
    }

    private static TcpStore.Builder client(TcpStoreServer server) {
        return TcpStore.builder().port(server.port()).connectTimeout(Duration.ofSeconds(10));
    }

    @Nested
    class AsAStore extends EmulatedStoreContract {
        @Override
        protected Session open() throws Exception {
            Endpoint endpoint = new Endpoint(new StoreAddress("127.0.0.1", server.port(), ""));
            PyTorchClient client = PyTorchClient.connect(endpoint, LONG);
            EmulatedStore store = EmulatedStore.builder().build(client);
            return new Session(store, store::close, client::close);
        }
    }

    @Test
    void clientsOfBothKindsUseTheSameKeys() throws Exception {
        try (TcpStore ours = client(server).connect();
                SessionStore pytorchs = client(server).connectToPyTorch()) {
            ours.set("a", "1");
            pytorchs.set("b", "2");

            assertThat(pytorchs.get("a").text()).isEqualTo("1");
            assertThat(ours.get("b").text()).isEqualTo("2");
            assertThat(ours.keys("")).containsExactly("a", "b");
            assertThat(pytorchs.keys("")).containsExactly("a", "b");
        }
    }

    @Test
    void endOfTheServerIsNoticed() throws Exception {
        try (SessionStore store = client(server).connectToPyTorch()) {
            server.close();

            assertThatThrownBy(() -> store.get("key"))
                    .isInstanceOf(StoreLostException.class)
                    .hasMessageContaining("127.0.0.1:" + server.port());
        }
    }

    @Test
    void waitTimesOutAndTheConnectionStaysUsable() throws Exception {
        try (SessionStore store = client(server).connectToPyTorch()) {
            assertThatThrownBy(() -> store.get("key", Duration.ofMillis(20))).isInstanceOf(StoreTimeoutException.class);
            assertThat(store.add("counter", 1)).isEqualTo(1);
        }
    }

    @Test
    void requestThatWouldCrashTheServerIsRejectedByTheClient() throws Exception {
        try (SessionStore store = client(server).connectToPyTorch()) {
            // With its leading slash it is a byte longer than PyTorch's server accepts.
            assertThatThrownBy(() -> store.set("k".repeat(8192), "v")).isInstanceOf(StoreRequestException.class);
            store.set("text", "seven");
            assertThatThrownBy(() -> store.add("text", 1)).isInstanceOf(StoreRequestException.class);
            assertThat(store.compareAndSet("absent", Value.of("x"), Value.of("x")))
                    .isEqualTo(Value.empty());
            store.addToSet("set", IndexSet.range(0, 1000));
            assertThat(store.members("set")).isEqualTo(IndexSet.range(0, 1000));
        }
    }

    @Test
    void serverOfAnotherProtocolIsNotReached() throws Exception {
        try (TcpStoreServer other = TcpStoreServer.builder().start()) {
            TcpStore.Builder client = client(other).connectTimeout(Duration.ofMillis(100));

            assertThatThrownBy(client::connectToPyTorch)
                    .isInstanceOf(StoreLostException.class)
                    .hasMessageContaining("could not be reached: tried");
        }
    }

    @Test
    void secretKeepsPyTorchsClientsOutByDefault() throws Exception {
        TcpStoreServer.Builder builder = TcpStoreServer.builder().pytorch(true).secret(SECRET);

        assertThatThrownBy(builder::start)
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("--pytorch-beside-secret");
        try (TcpStoreServer both = builder.pytorchBesideSecret(true).start();
                SessionStore pytorchs = client(both).connectToPyTorch();
                TcpStore ours = client(both).secret(SECRET).connect()) {
            pytorchs.set("key", "text");
            assertThat(ours.get("key").text()).isEqualTo("text");
        }
    }

    @Test
    void clientWithASecretDoesNotTrustAServerWithoutAProof() {
        TcpStore.Builder client = client(server).secret(SECRET);

        assertThatThrownBy(client::connectToPyTorch)
                .isInstanceOf(StoreException.class)
                .hasMessageContaining("secret(null)");
    }
}
