package dev.resiliency.nccl;

import dev.resiliency.nccl.internal.Nccl;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;

/**
 * A native communicator that two threads may want to end: the one that uses it, and the one that aborts it. Whoever
 * moves the state away from {@link State#OPEN} first frees it, nobody else.
 */
final class Communicator {
    /** How long an abort waits for a call under way: such a call is short, or it is what the abort must end. */
    private static final long CALL_MILLIS = 100;

    private final Nccl nccl;
    private final long address;
    private final String name;
    /** Held during each call that uses the communicator: NCCL does not allow two at once. */
    private final ReentrantLock calls = new ReentrantLock();
    /** Guarded by this. */
    private State state = State.OPEN;

    enum State {
        /** In use, or being created. */
        OPEN,
        /** Being freed, or freed, by its user, or no business of ours any more. */
        CLOSED,
        /** Being freed, or freed, by an abort. */
        ABORTED
    }

    Communicator(Nccl nccl, long address, String name) {
        this.nccl = nccl;
        this.address = address;
        this.name = name;
    }

    /** Something to do with the address, while no other call is under way. */
    interface Call<T> {
        T on(long address);
    }

    /**
     * Makes a call.
     *
     * @throws NcclAbortedException if the communicator is no longer open
     */
    <T> T use(Call<T> call) {
        calls.lock();
        try {
            requireOpen();
            return call.on(address);
        } finally {
            calls.unlock();
        }
    }

    /** The same, for a call without a result. */
    void begin(LongConsumer call) {
        use(opened -> {
            call.accept(opened);
            return Boolean.TRUE;
        });
    }

    private synchronized void requireOpen() {
        if (state != State.OPEN) {
            throw new NcclAbortedException(name + " is " + state.name().toLowerCase(Locale.ROOT));
        }
    }

    synchronized boolean isOpen() {
        return state == State.OPEN;
    }

    synchronized boolean isAborted() {
        return state == State.ABORTED;
    }

    private synchronized boolean leaves(State next) {
        if (state != State.OPEN) {
            return false;
        }
        state = next;
        return true;
    }

    /** Frees it, if nobody else does. */
    void abort() {
        if (leaves(State.ABORTED)) {
            awaitCallUnderWay();
            nccl.abort(address);
        }
    }

    /** No other call begins from now on: each looks at the state when it has the lock. */
    private void awaitCallUnderWay() {
        try {
            if (calls.tryLock(CALL_MILLIS, TimeUnit.MILLISECONDS)) {
                calls.unlock();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts a thread that aborts", e);
        }
    }

    /** Frees it after it was finished, if nobody else does. */
    void destroy() {
        if (leaves(State.CLOSED)) {
            nccl.destroy(address);
        }
    }

    /** Leaves it to whoever has made it, unless an abort was first. */
    void release() {
        leaves(State.CLOSED);
    }

    @Override
    public String toString() {
        return name;
    }
}
