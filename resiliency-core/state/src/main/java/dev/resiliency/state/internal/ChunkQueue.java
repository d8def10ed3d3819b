package dev.resiliency.state.internal;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/** The chunks that are still to be received, in their order, shared by the threads that receive. */
final class ChunkQueue {
    /** Those that nobody has asked for, or whose source has failed. Guarded by this. */
    private final Deque<Integer> pending = new ArrayDeque<>();
    /** Those that have not arrived. Guarded by this. */
    private int missing;
    /** The threads that may still receive something. Guarded by this. */
    private int receivers;

    /** Creates the queue of so many chunks. */
    ChunkQueue(int chunks, int receivers) {
        for (int chunk = 0; chunk < chunks; chunk++) {
            pending.add(chunk);
        }
        this.missing = chunks;
        this.receivers = receivers;
    }

    /** Returns the next chunk to ask for; null if there is none at the moment. */
    synchronized @Nullable Integer poll() {
        return pending.poll();
    }

    /** Waits for a chunk to ask for; null if all have arrived. */
    synchronized @Nullable Integer take() throws InterruptedException {
        while (pending.isEmpty() && missing > 0) {
            wait(); // ends with the last chunk, with a failure of another receiver, or by the interrupt of the abort
        }
        return pending.poll();
    }

    synchronized void arrived() {
        missing--;
        if (missing == 0) {
            notifyAll();
        }
    }

    /** Returns chunks whose source has failed. */
    synchronized void giveBack(Collection<Integer> chunks) {
        pending.addAll(chunks);
        notifyAll();
    }

    /** A receiver has ended: all have arrived, or it has no source any more. */
    synchronized void leave() {
        receivers--;
        notifyAll();
    }

    /** Waits until all have arrived, or nobody is left to receive them; returns whether all have. */
    synchronized boolean awaitEnd() throws InterruptedException {
        while (missing > 0 && receivers > 0) {
            wait(); // ends as take does
        }
        return missing == 0;
    }
}
