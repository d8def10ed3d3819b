package dev.resiliency.store.tcp.internal.wire;

import dev.resiliency.store.Change;
import dev.resiliency.store.spi.Operation;
import java.util.function.Consumer;

/** The ids of listeners on the wire, as the two ends of a connection see them. */
public final class WatchIds {
    private WatchIds() {}

    /** The client's end, which knows the listeners. */
    public interface Writer {
        long idOf(Operation.Watch watch);

        long idOf(Operation.Unwatch unwatch);

        long idOf(Operation.WatchPrefix watch);

        long idOf(Operation.UnwatchPrefix unwatch);
    }

    /** The server's end. For the same id it creates equal listeners. */
    public interface Reader {
        Consumer<Change> listener(long id, boolean ofPrefix);
    }
}
