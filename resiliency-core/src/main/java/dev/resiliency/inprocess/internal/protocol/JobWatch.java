package dev.resiliency.inprocess.internal.protocol;

import dev.resiliency.inprocess.Interruption;
import dev.resiliency.inprocess.spi.LaunchedJob;
import dev.resiliency.store.Change;
import dev.resiliency.store.Value;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Watches why the iterations of a job are interrupted: the records of the running iteration, and of the one before it, to which
 * the last ones may still be appended when the next is decided. Guarded by itself: its watches are called by the threads of the
 * store.
 */
final class JobWatch {
    private final SessionStore store;
    private final LaunchedJob.Listener listener;
    /** Of the records: the oldest first. */
    private final List<Operation.Watch> watches = new ArrayList<>();

    private @Nullable JobKeys keys;
    private Operation.@Nullable Watch ofLatest;
    /** The latest records, of the running iteration. */
    private Value recorded = Value.empty();

    private int running = JobKeys.BEFORE_FIRST;

    /**
     * Creates a watch that does nothing yet.
     *
     * @param store with the prefix of the job
     */
    JobWatch(SessionStore store, LaunchedJob.Listener listener) {
        this.store = store;
        this.listener = listener;
    }

    void start() {
        watch(JobKeys.GENERATION, value -> generation(Generation.read(value.text())));
    }

    private Operation.Watch watch(String key, Consumer<Value> handler) {
        Operation.Watch watch = new Operation.Watch(key, change -> {
            // Processes that ask before there is a value leave an empty one.
            if (change instanceof Change.Written written && written.value().size() > 0) {
                handler.accept(written.value());
            }
        });
        store.send(List.of(watch));
        return watch;
    }

    private void end(Operation.Watch watch) {
        store.send(List.of(new Operation.Unwatch(watch.key(), watch.listener())));
    }

    private synchronized void generation(Generation generation) {
        if (ofLatest != null) {
            end(ofLatest);
        }
        JobKeys current = new JobKeys(generation);
        keys = current;
        watchRecords(current, JobKeys.BEFORE_FIRST);
        ofLatest = watch(
                current.latest(), value -> began(current, Latest.read(value, 0).iteration()));
    }

    private void began(JobKeys of, int iteration) {
        Value over;
        int before;
        synchronized (this) {
            if (of != keys) {
                return;
            }
            over = recorded;
            before = running;
            watchRecords(of, iteration);
        }
        List<Interruption> known = read(over);
        List<Interruption> explained = InterruptionCodec.explain(known, over); // whose cause may have come until now
        if (explained.size() > known.size()) {
            listener.interrupted(before, explained);
        }
        listener.began(iteration);
    }

    private synchronized void note(int iteration, Value records) {
        if (iteration == running) {
            recorded = records;
        }
    }

    private static List<Interruption> read(Value records) {
        return InterruptionCodec.readAll(records, () -> {});
    }

    private void watchRecords(JobKeys of, int iteration) {
        recorded = Value.empty();
        running = iteration;
        watches.add(watch(of.records(iteration), value -> {
            note(iteration, value);
            List<Interruption> interruptions = read(value);
            if (!interruptions.isEmpty()) {
                listener.interrupted(iteration, interruptions);
            }
        }));
        if (watches.size() > 2) {
            end(watches.remove(0));
        }
    }
}
