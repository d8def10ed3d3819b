package dev.resiliency.store.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.resiliency.store.IndexSet;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreLostException;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.ClientGroup;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.spi.StoreAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients that share a thread, over real sockets. */
@Timeout(60)
class ClientGroupTest {
    private static final Duration LONG = Duration.ofSeconds(30);
    private static final String THREAD = "resiliency-store-group";

    private TcpStoreServer server;
    private ClientGroup group;

    @BeforeEach
    void start() throws Exception {
        server = TcpStoreServer.builder().secret(null).tls(null).start();
        group = ClientGroup.create("group");
    }

    @AfterEach
    void close() {
        group.close();
        server.close();
    }

    private SessionStore connect(int port) throws InterruptedException {
        return group.connect(new StoreAddress("127.0.0.1", port, ""), LONG, LONG);
    }

    private static long threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals(THREAD))
                .count();
    }

    @Test
    void clientsShareOneThreadAndWaitForEachOther() throws Exception {
        List<SessionStore> clients = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            clients.add(connect(server.port()));
        }
        CompletableFuture<?> waits = clients.get(0).submit(List.of(new Operation.Get("key")), LONG);

        clients.get(99).set("key", Value.of("value"));

        waits.get(30, TimeUnit.SECONDS);
        assertThat(threads()).isEqualTo(1);
        assertThat(clients.stream().map(SessionStore::session).distinct()).hasSize(100);
    }

    @Test
    void endOfOneClientLeavesTheOthers() throws Exception {
        SessionStore closed = connect(server.port());
        SessionStore abandoned = connect(server.port());
        SessionStore left = connect(server.port());
        Operation<?> will = new Operation.LastWill(List.of(new Operation.AddToSet("dead", IndexSet.of(1))));
        abandoned.submit(List.of(will), LONG).get();

        closed.close();
        abandoned.abandon();
        abandoned.close();

        await().atMost(LONG).until(() -> left.members("dead").equals(IndexSet.of(1)));
        assertThatThrownBy(() -> closed.set("key", Value.of("value"))).isInstanceOf(StoreException.class);
        connect(server.port()).set("key", Value.of("value"));
        assertThat(left.get("key")).isEqualTo(Value.of("value"));
    }

    @Test
    void failedConnectionLeavesTheOthers() throws Exception {
        SessionStore left = connect(server.port());
        TcpStoreServer gone = TcpStoreServer.builder().secret(null).tls(null).start();
        gone.close();

        assertThatThrownBy(() ->
                        group.connect(new StoreAddress("127.0.0.1", gone.port(), ""), Duration.ofMillis(200), LONG))
                .isInstanceOf(StoreLostException.class);

        left.set("key", Value.of("value"));
    }

    @Test
    void connectionIsResumedOnTheSharedThread() throws Exception {
        try (FaultProxy proxy = new FaultProxy(server.port())) {
            SessionStore cut = connect(proxy.port());
            SessionStore left = connect(server.port());
            long session = cut.session();

            proxy.cutClients(FaultProxy.End.FIN);

            cut.set("key", Value.of("value"));
            assertThat(cut.session()).isEqualTo(session);
            assertThat(left.get("key")).isEqualTo(Value.of("value"));
        }
    }

    @Test
    void endOfTheGroupEndsItsSessionsAndItsThread() throws Exception {
        SessionStore store = connect(server.port());
        Operation<?> will = new Operation.LastWill(List.of(new Operation.AddToSet("dead", IndexSet.of(1))));
        store.submit(List.of(will), LONG).get();

        group.close();

        assertThat(threads()).isZero();
        try (TcpStore other =
                TcpStore.builder().port(server.port()).secret(null).tls(null).connect()) {
            await().atMost(LONG).until(() -> other.members("dead").equals(IndexSet.of(1)));
        }
    }

    @Test
    void connectOnTheSharedThreadIsRefused() throws Exception {
        SessionStore store = connect(server.port());
        CompletableFuture<Throwable> thrown = new CompletableFuture<>();
        Operation<?> watch = new Operation.Watch("key", change -> {
            try {
                connect(server.port());
            } catch (InterruptedException | RuntimeException e) {
                thrown.complete(e);
            }
        });
        store.submit(List.of(watch), LONG).get();

        store.set("key", Value.of("value"));

        Throwable refusal = thrown.get(30, TimeUnit.SECONDS);
        assertThatIllegalStateException()
                .isThrownBy(() -> {
                    throw refusal;
                })
                .withMessageContaining("must not be called there");
    }
}
