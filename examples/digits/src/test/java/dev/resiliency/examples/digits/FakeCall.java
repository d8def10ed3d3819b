package dev.resiliency.examples.digits;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.WorldEvent;
import dev.resiliency.store.Store;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One iteration of a job without a wrapper: nothing ever restarts it, but a test can abort it.
 *
 * @param kept what the process keeps; null in a process of one iteration
 */
record FakeCall(
        State state,
        Store store,
        List<Abortable> abortables,
        @Nullable Map<Class<?>, Object> kept) implements CallWrapper {

    static FakeCall of(int rank, int worldSize, int iteration, Store store) {
        return new FakeCall(state(rank, worldSize, iteration), store, new CopyOnWriteArrayList<>(), null);
    }

    /** Returns the first iteration of a process that keeps its state for the {@link #next} one. */
    static FakeCall keeping(int rank, int worldSize, int iteration, Store store) {
        return new FakeCall(state(rank, worldSize, iteration), store, new CopyOnWriteArrayList<>(), new HashMap<>());
    }

    private static State state(int rank, int worldSize, int iteration) {
        return new State(rank, worldSize, rank, worldSize, State.Mode.ACTIVE, rank, worldSize, iteration);
    }

    /** Returns the next iteration of the same process. */
    FakeCall next(Store itsStore) {
        State next = state(state.rank(), state.worldSize(), state.iteration() + 1);
        return new FakeCall(next, itsStore, new CopyOnWriteArrayList<>(), kept);
    }

    void abort() throws Exception {
        for (Abortable abortable : abortables) {
            abortable.abort();
        }
    }

    @Override
    public WorldEvent lastEvent() {
        return new WorldEvent.Started(state.iteration(), state.activeWorldSize());
    }

    @Override
    public <T> T keep(Class<T> type, Supplier<? extends T> create) {
        return kept == null ? create.get() : type.cast(kept.computeIfAbsent(type, each -> create.get()));
    }

    @Override
    public void ping() {}

    @Override
    public void step(long step) {}

    @Override
    public void leave(String reason) {}

    @Override
    public void fail(Throwable cause) {}

    @Override
    public void checkRestart() {}

    @Override
    public AtomicSection atomic() {
        return new AtomicSection() {
            @Override
            public void confirm() {}

            @Override
            public void close() {}
        };
    }

    @Override
    public void onAbort(Abortable action) {
        abortables.add(action);
    }

    @Override
    public HangProtectionPause disableHangProtection() {
        return () -> {};
    }
}
