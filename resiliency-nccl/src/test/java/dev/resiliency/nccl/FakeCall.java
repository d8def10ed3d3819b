package dev.resiliency.nccl;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.Mode;
import dev.resiliency.inprocess.RestartSignal;
import dev.resiliency.inprocess.State;
import dev.resiliency.store.Store;
import java.util.ArrayList;
import java.util.List;

/** A call of one rank, whose restart a test begins. */
final class FakeCall implements CallWrapper {
    private final State state;
    private final Store store;
    private final List<Abortable> abortables = new ArrayList<>(); // guarded by this
    private volatile boolean restarting;

    FakeCall(Store store, int rank, int worldSize) {
        this.state = new State(rank, worldSize, rank, worldSize, Mode.ACTIVE, rank, worldSize, 0);
        this.store = store;
    }

    /** Does what a restart does: all that was registered, at the same time, and waits for it. */
    void restart() throws InterruptedException {
        restarting = true;
        List<Thread> threads = new ArrayList<>();
        for (Abortable abortable : taken()) {
            Thread thread = new Thread(() -> {
                try {
                    abortable.abort();
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
            thread.start();
            threads.add(thread);
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private synchronized List<Abortable> taken() {
        List<Abortable> taken = List.copyOf(abortables);
        abortables.clear();
        return taken;
    }

    @Override
    public State state() {
        return state;
    }

    @Override
    public Store store() {
        return store;
    }

    @Override
    public void ping() {
        checkRestart();
    }

    @Override
    public void checkRestart() {
        if (restarting) {
            throw new RestartSignal(0);
        }
    }

    @Override
    public AtomicSection atomic() {
        return () -> {};
    }

    @Override
    public synchronized void onAbort(Abortable action) {
        abortables.add(action);
    }

    @Override
    public HangProtectionPause disableHangProtection() {
        return () -> {};
    }
}
