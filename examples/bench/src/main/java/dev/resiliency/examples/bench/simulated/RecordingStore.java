package dev.resiliency.examples.bench.simulated;

import dev.resiliency.examples.bench.store.NativeWire;
import dev.resiliency.store.spi.ForwardingStore;
import dev.resiliency.store.spi.InMemoryStore;
import dev.resiliency.store.spi.Operation;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A store that answers nothing, and records what a client would send for each request. */
final class RecordingStore extends ForwardingStore {
    private static final long ONE_WAY = 0;

    private final NativeWire wire = new NativeWire();
    private final List<ByteBuffer> requests = new ArrayList<>();
    private long latest;

    RecordingStore() {
        super(InMemoryStore.create());
    }

    /** Returns what was recorded since the last call. */
    List<ByteBuffer> take() {
        List<ByteBuffer> taken = List.copyOf(requests);
        requests.clear();
        return taken;
    }

    @Override
    public CompletableFuture<List<@Nullable Object>> submit(List<? extends Operation<?>> operations, Duration timeout) {
        requests.add(wire.request(++latest, operations, timeout));
        return new CompletableFuture<>();
    }

    @Override
    public void send(List<? extends Operation<?>> operations) {
        requests.add(wire.request(ONE_WAY, operations, timeout()));
    }
}
