package dev.resiliency.launcher.log;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.ToIntFunction;

/**
 * A queue from many threads to one, bounded in elements and in bytes. What the one has taken still counts until it has written it.
 * All fields belong to the lock.
 */
final class BoundedQueue<E> {
    private final int mostElements;
    private final int mostBytes;
    private final ToIntFunction<E> size;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition hasElements = lock.newCondition();
    private final Condition hasRoom = lock.newCondition();
    private List<E> waiting = new ArrayList<>();
    private int elements;
    private long bytes;
    private boolean isClosed;

    BoundedQueue(int mostElements, int mostBytes, ToIntFunction<E> size) {
        this.mostElements = mostElements;
        this.mostBytes = mostBytes;
        this.size = size;
    }

    /** Adds these elements together, or none of them if there is no room for them within this time. */
    boolean offer(List<E> added, Duration patience) throws InterruptedException {
        long addedBytes = bytes(added);
        lock.lockInterruptibly();
        try {
            long left = patience.toNanos();
            while (!isClosed && !hasRoomFor(added.size(), addedBytes)) {
                if (left <= 0) {
                    return false;
                }
                left = hasRoom.awaitNanos(left);
            }
            if (isClosed) {
                return false;
            }
            if (waiting.isEmpty()) {
                hasElements.signal();
            }
            waiting.addAll(added);
            elements += added.size();
            bytes += addedBytes;
            return true;
        } finally {
            lock.unlock();
        }
    }

    private long bytes(List<E> list) {
        long sum = 0;
        for (E element : list) {
            sum += size.applyAsInt(element);
        }
        return sum;
    }

    /** An empty queue takes anything. */
    private boolean hasRoomFor(int addedElements, long addedBytes) {
        return elements == 0 || (elements + addedElements <= mostElements && bytes + addedBytes <= mostBytes);
    }

    /** Takes all elements, as soon as there are any; none if there are none in time, or the queue is closed and empty. */
    List<E> take(Duration limit) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = limit.toNanos();
            while (waiting.isEmpty() && !isClosed && left > 0) {
                left = hasElements.awaitNanos(left);
            }
            List<E> taken = waiting;
            waiting = new ArrayList<>();
            return taken;
        } finally {
            lock.unlock();
        }
    }

    /** Makes room: these elements are written. */
    void release(List<E> written) {
        lock.lock();
        try {
            elements -= written.size();
            bytes -= bytes(written);
            hasRoom.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Takes nothing more; what is there can still be taken. Idempotent. */
    void close() {
        lock.lock();
        try {
            isClosed = true;
            hasElements.signal();
            hasRoom.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns whether nothing is there any more, and nothing comes. */
    boolean isDrained() {
        lock.lock();
        try {
            return isClosed && waiting.isEmpty();
        } finally {
            lock.unlock();
        }
    }

    /** Returns how many elements are there, or are being written. */
    int size() {
        lock.lock();
        try {
            return elements;
        } finally {
            lock.unlock();
        }
    }
}
