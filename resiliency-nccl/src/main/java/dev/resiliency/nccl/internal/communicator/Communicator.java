package dev.resiliency.nccl.internal.communicator;

import dev.resiliency.nccl.NcclAbortedException;
import dev.resiliency.nccl.internal.natives.Nccl;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;

/**
 * A native communicator that two threads may end: the one that uses it, and the one that aborts it. Only the one that moves
 * its state away from {@link State#OPEN} frees it.
 */
final class Communicator {
    /** How long an abort waits for a call in progress: such a call is short, or the abort must end it. */
    private static final long CALL_MILLIS = 100;

    private final Nccl nccl;
    private final long address;
    private final String name;
    /** Held during each call that uses the communicator: NCCL does not allow two at once. */
    private final ReentrantLock calls = new ReentrantLock();
    /** Guarded by this. */
    private State state = State.OPEN;

    enum State {
        /** In use or being created. */
        OPEN,
        /** Freed or being freed by its user, or left to another library. */
        CLOSED,
        /** Freed or being freed by an abort. */
        ABORTED
    }

    Communicator(Nccl nccl, long address, String name) {
        this.nccl = nccl;
        this.address = address;
        this.name = name;
    }

    /** A call with the address, while no other is in progress. */
    interface Call<T> {
        T on(long address);
    }

    /**
     * Makes a call and returns its result.
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

    /** Makes a call without a result. */
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

    /** Returns whether this call has moved the state away from {@link State#OPEN}. */
    private synchronized boolean leave(State next) {
        if (state != State.OPEN) {
            return false;
        }
        state = next;
        return true;
    }

    /** Frees it, unless another thread does. */
    void abort() {
        if (leave(State.ABORTED)) {
            awaitCallInProgress();
            nccl.abort(address);
        }
    }

    /** No other call begins from now on: each checks the state once it has the lock. */
    private void awaitCallInProgress() {
        try {
            if (calls.tryLock(CALL_MILLIS, TimeUnit.MILLISECONDS)) {
                calls.unlock();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("a thread that aborts was interrupted", e);
        }
    }

    /** Frees it after it was finished, unless another thread does. */
    void destroy() {
        if (leave(State.CLOSED)) {
            nccl.destroy(address);
        }
    }

    /** Leaves it to the library that created it, unless an abort came first. */
    void release() {
        leave(State.CLOSED);
    }

    @Override
    public String toString() {
        return name;
    }
}
