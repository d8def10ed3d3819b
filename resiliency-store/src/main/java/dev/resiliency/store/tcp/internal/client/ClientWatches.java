package dev.resiliency.store.tcp.internal.client;

import dev.resiliency.store.Change;
import dev.resiliency.store.internal.Listeners;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.tcp.internal.wire.ResultCodec;
import dev.resiliency.store.tcp.internal.wire.WatchIds;
import dev.resiliency.store.tcp.internal.wire.WireReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The listeners of a client, and their ids on the wire. The client's event loop owns it.
 *
 * <p>A listener is kept until the server has ended its watch, since an operation after one that fails does not run.
 */
final class ClientWatches implements WatchIds.Writer {
    private static final long NO_WATCH = 0;

    private final Map<Subject, Watch> watches = new HashMap<>();
    private final Map<Long, Watch> watchesById = new HashMap<>();
    private long lastId = NO_WATCH;

    private record Subject(String key, boolean isPrefix, Consumer<? super Change> listener) {}

    /** The subject of a listener, and its id on the wire. */
    private static final class Watch {
        private final Subject subject;
        private final long id;
        private int asked; // how many times the server was asked to begin it

        Watch(Subject subject, long id) {
            this.subject = subject;
            this.id = id;
        }
    }

    /**
     * Notes that the operation at this place in a request ends the watch, which had been asked for this many times by
     * then.
     */
    record Ending(int place, Watch watch, int asked) {}

    @Override
    public long idOf(Operation.Watch operation) {
        return idOfNew(subjectOf(operation));
    }

    @Override
    public long idOf(Operation.Unwatch operation) {
        return idOfKnown(subjectOf(operation));
    }

    @Override
    public long idOf(Operation.WatchPrefix operation) {
        return idOfNew(subjectOf(operation));
    }

    @Override
    public long idOf(Operation.UnwatchPrefix operation) {
        return idOfKnown(subjectOf(operation));
    }

    /** Returns a new id, or the one of the watch if it exists already. */
    private long idOfNew(Subject subject) {
        return watches.computeIfAbsent(subject, unused -> {
                    Watch watch = new Watch(subject, ++lastId);
                    watchesById.put(watch.id, watch);
                    return watch;
                })
                .id;
    }

    private long idOfKnown(Subject subject) {
        Watch watch = watches.get(subject);
        return watch == null ? NO_WATCH : watch.id;
    }

    private static Subject subjectOf(Operation.Watch operation) {
        return new Subject(operation.key(), false, operation.listener());
    }

    private static Subject subjectOf(Operation.Unwatch operation) {
        return new Subject(operation.key(), false, operation.listener());
    }

    private static Subject subjectOf(Operation.WatchPrefix operation) {
        return new Subject(operation.prefix(), true, operation.listener());
    }

    private static Subject subjectOf(Operation.UnwatchPrefix operation) {
        return new Subject(operation.prefix(), true, operation.listener());
    }

    /** Registers the watches of a request that is being sent; returns those that it ends. */
    List<Ending> asked(List<? extends Operation<?>> operations) {
        List<Ending> endings = List.of();
        for (int place = 0; place < operations.size(); place++) {
            Operation<?> operation = operations.get(place);
            Watch begun = find(begunBy(operation));
            if (begun != null) {
                begun.asked++;
            }
            Watch ended = find(endedBy(operation));
            if (ended != null) {
                endings = endings.isEmpty() ? new ArrayList<>(1) : endings;
                endings.add(new Ending(place, ended, ended.asked));
            }
        }
        return endings;
    }

    private static @Nullable Subject begunBy(Operation<?> operation) {
        if (operation instanceof Operation.Watch watch) {
            return subjectOf(watch);
        }
        return operation instanceof Operation.WatchPrefix watch ? subjectOf(watch) : null;
    }

    private static @Nullable Subject endedBy(Operation<?> operation) {
        if (operation instanceof Operation.Unwatch unwatch) {
            return subjectOf(unwatch);
        }
        return operation instanceof Operation.UnwatchPrefix unwatch ? subjectOf(unwatch) : null;
    }

    private @Nullable Watch find(@Nullable Subject subject) {
        return subject == null ? null : watches.get(subject);
    }

    /**
     * Notes that the first {@code count} operations of a request have run: the listeners whose watches they end receive
     * nothing more.
     */
    void ran(int count, List<Ending> endings) {
        for (Ending ending : endings) {
            Watch watch = ending.watch();
            // Guards against the race with a later request, which may have begun the watch again.
            if (ending.place() < count && ending.asked() == watch.asked) {
                watches.remove(watch.subject, watch);
                watchesById.remove(watch.id);
            }
        }
    }

    /** Passes a change to the listener, unless its watch has ended meanwhile. */
    void tell(long id, WireReader in) {
        Watch watch = watchesById.get(id);
        if (watch != null) {
            Subject subject = watch.subject;
            String key = subject.isPrefix() ? in.text() : subject.key();
            Listeners.tell(subject.listener(), ResultCodec.readChange(key, in));
        }
    }
}
