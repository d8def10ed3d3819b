package dev.resiliency.pytorch;

import java.time.Duration;
import org.bytedeco.javacpp.chrono.Milliseconds;
import org.bytedeco.pytorch.Store;
import org.bytedeco.pytorch.TCPStore;
import org.bytedeco.pytorch.TCPStoreOptions;

/** Connects PyTorch's own client to a bridge. */
final class TorchStore {
    private TorchStore() {}

    /**
     * Returns a client, which the caller closes. It is a clone, since only that may be passed on: PyTorch does not know the
     * owner of what Java has created, which ends the JVM when it is passed the second time.
     *
     * @param timeout of each request
     */
    static Store connect(StoreBridge bridge, Duration timeout) {
        try (Milliseconds limit = new Milliseconds(timeout.toMillis());
                TCPStoreOptions options = new TCPStoreOptions()
                        .isServer(false)
                        .port((short) bridge.port())
                        .waitWorkers(false)
                        .timeout(limit);
                TCPStore client = new TCPStore(bridge.host(), options)) {
            return client.clone();
        }
    }
}
