package dev.resiliency.store.tcp;

import dev.resiliency.store.internal.emulation.EmulatedStoreContract;
import dev.resiliency.store.spi.EmulatedStore;
import dev.resiliency.store.spi.StoreAddress;
import dev.resiliency.store.tcp.internal.pytorch.PyTorchClient;
import dev.resiliency.store.tcp.internal.wire.Endpoint;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;

/** The contract of our client with PyTorch's own server. */
class PyTorchContractIT extends EmulatedStoreContract {
    private final PyTorchStore server = PyTorchStore.serve();

    @AfterEach
    void closeServer() {
        server.close();
    }

    @Override
    protected Session open() throws Exception {
        Endpoint endpoint = new Endpoint(new StoreAddress("127.0.0.1", server.port(), ""));
        PyTorchClient client = PyTorchClient.connect(endpoint, Duration.ofSeconds(20));
        EmulatedStore store = EmulatedStore.builder().build(client);
        return new Session(store, store::close, client::close);
    }
}
