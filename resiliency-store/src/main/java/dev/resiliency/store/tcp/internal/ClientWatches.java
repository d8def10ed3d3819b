package dev.resiliency.store.tcp.internal;

import dev.resiliency.store.Change;
import dev.resiliency.store.Operation;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The listeners of a client, and the ids that stand for them on the wire. The client's event loop owns it. */
final class ClientWatches implements WatchIds.Writer {
    private static final Logger log = LoggerFactory.getLogger(ClientWatches.class);

    private final Map<Watch, Long> ids = new HashMap<>();
    private final Map<Long, Watch> watches = new HashMap<>();
    private long lastId;

    private record Watch(String key, Consumer<? super Change> listener) {}

    /** The same for a watch that there is already. */
    @Override
    public long idOf(Operation.Watch operation) {
        return ids.computeIfAbsent(new Watch(operation.key(), operation.listener()), watch -> {
            watches.put(++lastId, watch);
            return lastId;
        });
    }

    /** From now on the listener is told of nothing. 0 if there is no such watch. */
    @Override
    public long idOf(Operation.Unwatch operation) {
        Long id = ids.remove(new Watch(operation.key(), operation.listener()));
        if (id == null) {
            return 0;
        }
        watches.remove(id);
        return id;
    }

    /** Tells the listener of a change, unless its watch has ended meanwhile. */
    void tell(long id, WireReader in) {
        Watch watch = watches.get(id);
        if (watch != null) {
            Change change = ResultCodec.readChange(watch.key(), in);
            try {
                watch.listener().accept(change);
            } catch (RuntimeException failure) {
                log.warn("A listener failed on {}", change, failure);
            }
        }
    }
}
