package dev.resiliency.pytorch;

import java.time.Duration;
import org.bytedeco.javacpp.chrono.Milliseconds;
import org.bytedeco.pytorch.GlooDeviceVector;
import org.bytedeco.pytorch.ProcessGroupGloo;
import org.bytedeco.pytorch.Store;

/**
 * Creates the native objects of a group.
 *
 * @param listener of this rank, which this closes: Gloo shares its socket
 * @param connectTimeout limits the wait for all connections
 * @param timeout of each operation later
 */
record GlooConnector(
        int rank, int size, StoreBridge bridge, GlooListener listener, Duration connectTimeout, Duration timeout) {

    /** Connects to all ranks; blocks until they do the same, for the connect timeout at most. */
    GlooBackend connect() {
        try (listener;
                Milliseconds connecting = new Milliseconds(connectTimeout.toMillis());
                Milliseconds operating = new Milliseconds(timeout.toMillis());
                Store store = TorchStore.connect(bridge, connectTimeout);
                ProcessGroupGloo.Options options = new ProcessGroupGloo.Options(connecting);
                GlooDeviceVector devices = new GlooDeviceVector(listener.device())) {
            options.devices(devices);
            ProcessGroupGloo gloo = new ProcessGroupGloo(store, rank, size, options);
            gloo.setTimeout(operating);
            return GlooBackend.of(gloo, store, rank, size);
        }
    }
}
