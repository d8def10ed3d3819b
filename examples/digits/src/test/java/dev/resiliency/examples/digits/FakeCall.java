package dev.resiliency.examples.digits;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.WorldEvent;
import dev.resiliency.store.Store;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;

/** One iteration of a job without a wrapper: nothing ever restarts it, but a test can abort it. */
record FakeCall(State state, Store store, List<Abortable> abortables) implements CallWrapper {

    static FakeCall of(int rank, int worldSize, int iteration, Store store) {
        State state = new State(rank, worldSize, rank, worldSize, State.Mode.ACTIVE, rank, worldSize, iteration);
        return new FakeCall(state, store, new CopyOnWriteArrayList<>());
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
        return create.get(); // a process of one iteration
    }

    @Override
    public void ping() {}

    @Override
    public void safePoint(long step) {}

    @Override
    public void leave(String reason) {}

    @Override
    public void checkRestart() {}

    @Override
    public AtomicSection atomic() {
        return () -> {};
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
