package dev.resiliency.state.internal;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The sockets of one recovery, and the threads that use them. Once closed, none of these threads touches the state any
 * more: a restart may go on. Safe for use by many threads.
 *
 * <p>Threads: {@code resiliency-state-r3-accept}, {@code -serve-0} and so on, {@code -fetch-0} and so on, {@code -copy},
 * until the recovery ends or, if the state is sharded, the iteration.
 */
final class Connections implements AutoCloseable {
    /** A thread whose socket is closed ends at once; it may be about to copy a chunk. */
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(Connections.class);

    private final String threadNames;
    /** Guarded by this. */
    private final Set<Closeable> open = new HashSet<>();
    /** Guarded by this. */
    private final List<Thread> threads = new ArrayList<>();
    /** Written once, under this; volatile so that threads may look before each chunk. */
    private volatile boolean closed;

    /** @param rank the initial rank, for the names of threads */
    Connections(int rank) {
        this.threadNames = "resiliency-state-r" + rank + "-";
    }

    /** What a thread does until its socket is closed. */
    @FunctionalInterface
    interface Task {
        void run() throws IOException, InterruptedException;
    }

    boolean isClosed() {
        return closed;
    }

    /** Registers a socket to be closed; closes it at once if the recovery has ended. */
    synchronized <T extends Closeable> T add(T socket) throws IOException {
        if (closed) {
            socket.close();
            throw new ClosedChannelException();
        }
        open.add(socket);
        return socket;
    }

    /** Closes a socket that is needed no longer. */
    void close(Closeable socket) throws IOException {
        synchronized (this) {
            open.remove(socket);
        }
        socket.close();
    }

    /** Starts a thread, whose exceptions are logged at DEBUG; returns false if the recovery has ended. */
    synchronized boolean start(String name, Task task) {
        if (closed) {
            return false;
        }
        Thread thread = new Thread(() -> run(task), threadNames + name);
        thread.setDaemon(true);
        threads.add(thread);
        thread.start();
        return true;
    }

    private void run(Task task) {
        try {
            task.run();
        } catch (IOException | InterruptedException over) {
            LOG.debug("{} has ended: {}", Thread.currentThread().getName(), over.toString());
        } finally {
            synchronized (this) {
                threads.remove(Thread.currentThread());
            }
        }
    }

    /** Closes all sockets, and waits until the threads have ended. */
    @Override
    public void close() {
        List<Thread> running;
        synchronized (this) {
            closed = true;
            for (Closeable socket : open) {
                closeQuietly(socket);
            }
            open.clear();
            running = List.copyOf(threads);
        }
        running.forEach(Thread::interrupt); // for those that wait for a chunk
        boolean interrupted = false;
        long deadline = System.nanoTime() + LIMIT.toNanos();
        for (Thread thread : running) {
            interrupted |= !joins(thread, deadline);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void closeQuietly(Closeable socket) {
        try {
            socket.close();
        } catch (IOException e) {
            LOG.debug("A socket could not be closed", e);
        }
    }

    /** Waits for the end of a thread despite interrupts, of which it returns whether there were none. */
    private static boolean joins(Thread thread, long deadline) {
        boolean quiet = true;
        for (long left = deadline - System.nanoTime();
                thread.isAlive() && left > 0;
                left = deadline - System.nanoTime()) {
            try {
                thread.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(left)));
            } catch (InterruptedException e) {
                quiet = false;
            }
        }
        if (thread.isAlive()) {
            LOG.error("The thread {} has not ended; it is at {}", thread.getName(), List.of(thread.getStackTrace()));
        }
        return quiet;
    }
}
