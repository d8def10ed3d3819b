package dev.resiliency.pytorch;

import org.bytedeco.pytorch.BackendOptional;
import org.bytedeco.pytorch.ProcessGroup;
import org.bytedeco.pytorch.ProcessGroupGloo;
import org.bytedeco.pytorch.Store;
import org.bytedeco.pytorch.global.torch.DeviceType;

/**
 * The native objects of a Gloo group. Closing waits for operations in flight, so whoever closes has cut the connections.
 *
 * @param processGroup the view for {@code Reducer}, whose only backend is {@code gloo}
 */
record GlooBackend(ProcessGroupGloo gloo, ProcessGroup processGroup) implements AutoCloseable {

    /** Wraps a connected group. */
    static GlooBackend of(ProcessGroupGloo gloo, Store store, int rank, int size) {
        ProcessGroup group = new ProcessGroup(store, rank, size);
        try (BackendOptional backend = new BackendOptional(gloo)) {
            group.setBackend(DeviceType.CPU, ProcessGroup.BackendType.GLOO, backend);
            group.setDefaultBackend(ProcessGroup.BackendType.GLOO);
        }
        return new GlooBackend(gloo, group);
    }

    @Override
    public void close() {
        processGroup.close();
        gloo.close();
    }
}
