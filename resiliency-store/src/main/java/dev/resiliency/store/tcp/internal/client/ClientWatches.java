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
 * The listeners of a client, and the ids that stand for them on the wire. The client's event loop owns it.
 *
 * <p>A listener is kept until the server has ended its watch, for an operation behind one that fails does not run.
 */
final class ClientWatches implements WatchIds.Writer {
    private static final long NO_WATCH = 0;

    private final Map<Subject, Watch> watches = new HashMap<>();
    private final Map<Long, Watch> watchesById = new HashMap<>();
    private long lastId = NO_WATCH;

    private record Subject(String key, boolean isPrefix, Consumer<? super Change> listener) {}

    /** What a listener listens to, and how it is called on the wire. */
    private static final class Watch {
        private final Subject subject;
        private final long id;
        private int asked; // how often the server was asked to begin it

        Watch(Subject subject, long id) {
            this.subject = subject;
            this.id = id;
        }
    }

    /** That the operation at this place of a request ends the watch, which was asked for so often before. */
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

    /** The same for a watch that there is already. */
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

    /** Takes note of a request that is on its way; returns which watches it is to end. */
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

    /** The first {@code count} operations of a request have run: the listeners whose watches they end hear nothing more. */
    void ran(int count, List<Ending> endings) {
        for (Ending ending : endings) {
            Watch watch = ending.watch();
            // Guards against the race with a later request, which may have begun the watch anew.
            if (ending.place() < count && ending.asked() == watch.asked) {
                watches.remove(watch.subject, watch);
                watchesById.remove(watch.id);
            }
        }
    }

    /** Tells the listener of a change, unless its watch has ended meanwhile. */
    void tell(long id, WireReader in) {
        Watch watch = watchesById.get(id);
        if (watch != null) {
            Subject subject = watch.subject;
            String key = subject.isPrefix() ? in.text() : subject.key();
            Listeners.tell(subject.listener(), ResultCodec.readChange(key, in));
        }
    }
}
