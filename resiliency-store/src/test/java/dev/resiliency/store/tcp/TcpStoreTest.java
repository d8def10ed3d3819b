package dev.resiliency.store.tcp;

import dev.resiliency.store.StoreContract;
import dev.resiliency.store.spi.PrefixStore;
import dev.resiliency.store.tcp.internal.client.Client;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;

class TcpStoreTest {
    private TcpStoreServer server;

    @BeforeEach
    void startServer() throws Exception {
        server = TcpStoreServer.builder().start();
    }

    @AfterEach
    void closeServer() {
        server.close();
    }

    private TcpStore connect() throws InterruptedException {
        return TcpStore.builder().port(server.port()).connect();
    }

    @Nested
    class AsAStore extends StoreContract {
        @Override
        protected Session open() throws Exception {
            TcpStore store = connect();
            return new Session(store, store::close, ((Client) store)::abandon);
        }
    }

    @Nested
    class UnderAPrefix extends StoreContract {
        @Override
        protected Session open() throws Exception {
            TcpStore store = connect();
            return new Session(new PrefixStore("prefix", store), store::close, ((Client) store)::abandon);
        }
    }
}
