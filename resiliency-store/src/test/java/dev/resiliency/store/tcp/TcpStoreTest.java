package dev.resiliency.store.tcp;

import dev.resiliency.store.StoreContract;
import dev.resiliency.store.spi.PrefixStore;
import dev.resiliency.store.tcp.internal.client.Client;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;

class TcpStoreTest {
    private TcpStoreServer server;
    private FaultProxy proxy;
    private int connected;

    @BeforeEach
    void startServer() throws Exception {
        server = TcpStoreServer.builder().start();
        proxy = new FaultProxy(server.port());
    }

    @AfterEach
    void closeServer() throws Exception {
        proxy.close();
        server.close();
    }

    /** Connects the first client, which some tests silence, through the proxy. */
    private TcpStore connect() throws InterruptedException {
        int port = connected++ == 0 ? proxy.port() : server.port();
        return TcpStore.builder().port(port).connect();
    }

    @Nested
    class AsAStore extends StoreContract {
        @Override
        protected void silence(boolean isSilent) {
            proxy.hold(isSilent);
        }

        @Override
        protected Session open() throws Exception {
            TcpStore store = connect();
            return new Session(store, store::close, ((Client) store)::abandon);
        }
    }

    @Nested
    class UnderAPrefix extends StoreContract {
        @Override
        protected void silence(boolean isSilent) {
            proxy.hold(isSilent);
        }

        @Override
        protected Session open() throws Exception {
            TcpStore store = connect();
            return new Session(new PrefixStore("prefix", store), store::close, ((Client) store)::abandon);
        }
    }
}
