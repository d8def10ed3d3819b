package dev.resiliency.store.tcp.internal;

import dev.resiliency.store.Change;
import dev.resiliency.store.Operation;
import dev.resiliency.store.internal.Listeners;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** The listeners of a client, and the ids that stand for them on the wire. The client's event loop owns it. */
final class ClientWatches implements WatchIds.Writer {
    private final Map<Watch, Long> ids = new HashMap<>();
    private final Map<Long, Watch> watches = new HashMap<>();
    private long lastId;

    private record Watch(String key, boolean isPrefix, Consumer<? super Change> listener) {}

    @Override
    public long idOf(Operation.Watch operation) {
        return begin(new Watch(operation.key(), false, operation.listener()));
    }

    @Override
    public long idOf(Operation.Unwatch operation) {
        return end(new Watch(operation.key(), false, operation.listener()));
    }

    @Override
    public long idOf(Operation.WatchPrefix operation) {
        return begin(new Watch(operation.prefix(), true, operation.listener()));
    }

    @Override
    public long idOf(Operation.UnwatchPrefix operation) {
        return end(new Watch(operation.prefix(), true, operation.listener()));
    }

    /** The same for a watch that there is already. */
    private long begin(Watch watch) {
        return ids.computeIfAbsent(watch, unused -> {
            watches.put(++lastId, watch);
            return lastId;
        });
    }

    /** From now on the listener is told of nothing. 0 if there is no such watch. */
    private long end(Watch watch) {
        Long id = ids.remove(watch);
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
            String key = watch.isPrefix() ? in.text() : watch.key();
            Listeners.tell(watch.listener(), ResultCodec.readChange(key, in));
        }
    }
}
