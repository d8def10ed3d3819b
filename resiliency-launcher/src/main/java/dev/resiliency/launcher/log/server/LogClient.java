package dev.resiliency.launcher.log.server;

import dev.resiliency.launcher.log.CycleLog;
import dev.resiliency.store.tcp.Secret;
import dev.resiliency.store.tcp.Tls;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Sends what the log files of this node contain to the server, on a thread of its own. As long as the server is not there, lines
 * wait in the files; it needs no memory for them. Safe for use by many threads.
 *
 * <p>Thread: {@code resiliency-log-client}.
 */
public final class LogClient implements CycleLog.Listener, AutoCloseable {
    private static final Duration LEAST_PAUSE = Duration.ofMillis(100);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
    /** Lines of so long go together. */
    private static final Duration LINGER = Duration.ofMillis(100);

    private static final Duration LOOK = Duration.ofMillis(100);
    private static final Duration INTERRUPTED = Duration.ofSeconds(5);
    private static final int MOST_FAILURES_AT_END = 50;
    private static final Duration LONG = Duration.ofHours(1);
    /** A server that has had too much to do for so long is worth a line. */
    private static final Duration LONGEST_BUSY = Duration.ofMinutes(1);

    private final IntFunction<Path> files;
    private final InetSocketAddress server;
    private final Consumer<String> complaints;
    private final LogConnection connection;
    private final Thread thread;

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition hasNews = lock.newCondition();
    /** By cycle: files of which the server may not have all. Guarded by the lock; what is in them belongs to the thread. */
    private final Map<Integer, SentFile> unsent = new TreeMap<>();

    /** The file that is written now. Guarded by the lock. */
    private @Nullable SentFile current;
    /** Whether lines have come since the thread has looked. Guarded by the lock. */
    private boolean isNews;
    /** Guarded by the lock. */
    private boolean isClosing;

    /** How often the server has acknowledged lines. */
    private final AtomicLong acknowledgements = new AtomicLong();

    /** Confined to the thread. */
    private int failuresAtEnd;
    /** How often in a row the server has refused this node. Confined to the thread. */
    private int refusals;
    /** Whether the thread has ended before all was sent. Written by the thread, read by any. */
    private volatile boolean gaveUp;

    /** Whether the server is out of reach, and was said to be. Confined to the thread. */
    private boolean isOutOfReach;
    /** Since when the server has had too much to do, by the clock of the system; null if it has not. Confined to the thread. */
    private @Nullable Long busySince;
    /** Whether it was said that the server has lines of others. Confined to the thread. */
    private boolean saidOthers;

    /**
     * Creates a client.
     *
     * @param files of this node, by their cycles
     * @param complaints receive that the server cannot be reached, and that it can be again
     */
    public LogClient(
            IntFunction<Path> files,
            InetSocketAddress server,
            String node,
            String jobId,
            @Nullable Secret secret,
            @Nullable Tls tls,
            Consumer<String> complaints)
            throws IOException {
        this.files = files;
        this.server = server;
        this.complaints = complaints;
        connection = new LogConnection(server, node, jobId, secret, tls);
        thread = new Thread(this::run, "resiliency-log-client");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void opened(int cycle, long size) {
        lock.lock();
        try {
            if (current == null || current.cycle() != cycle) {
                SentFile file = unsent.computeIfAbsent(cycle, number -> new SentFile(files.apply(cycle), cycle, size));
                current = current == null || current.cycle() < cycle ? file : current;
            }
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void written(int cycle) {
        lock.lock();
        try {
            if (!isNews) { // else the thread knows, and lets more lines come
                isNews = true;
                hasNews.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        try (connection) {
            Duration pause = LEAST_PAUSE;
            boolean goesOn = true;
            while (goesOn) {
                try {
                    sendAll();
                    pause = LEAST_PAUSE;
                    goesOn = awaitNews();
                } catch (IOException e) {
                    connection.forgetHandshake();
                    reposition();
                    complain(e);
                    goesOn = mayTryAgain(e);
                    awaitRetry(pause.plusMillis(ThreadLocalRandom.current().nextLong(pause.toMillis())));
                    pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
                }
            }
        } catch (InterruptedException closed) {
            Thread.currentThread().interrupt();
        }
    }

    private void sendAll() throws IOException, InterruptedException {
        for (SentFile file = first(); file != null; file = next(file)) {
            if (!file.isPositioned()) {
                file.resumeAfter(connection.lastLine(file));
                reached();
            }
            while (connection.send(file)) {
                reached();
            }
            file.close();
            sayIfOthers(file);
        }
    }

    private void sayIfOthers(SentFile file) {
        if (file.hasOthers() && !saidOthers) {
            saidOthers = true;
            complaints.accept(
                    "the log server has lines under the name of this node that it has not sent: another process uses the"
                            + " name. The lines of this one are in " + file.path());
        }
    }

    private @Nullable SentFile first() {
        lock.lock();
        try {
            isNews = false;
            return unsent.isEmpty() ? null : unsent.values().iterator().next();
        } finally {
            lock.unlock();
        }
    }

    /** A file that is sent, and not written any more, is forgotten. */
    private @Nullable SentFile next(SentFile sent) {
        lock.lock();
        try {
            if (sent != current) {
                unsent.remove(sent.cycle());
            }
            return unsent.values().stream()
                    .filter(file -> file.cycle() > sent.cycle())
                    .findFirst()
                    .orElse(null);
        } finally {
            lock.unlock();
        }
    }

    /** Sends again what was not acknowledged. */
    private void reposition() {
        lock.lock();
        try {
            unsent.values().forEach(SentFile::losePosition);
        } finally {
            lock.unlock();
        }
    }

    private void complain(IOException problem) {
        boolean isBusy = problem instanceof LogConnection.CallException call && call.isBusy();
        long now = System.nanoTime();
        busySince = !isBusy ? null : busySince == null ? Long.valueOf(now) : busySince;
        boolean isTemporary = busySince != null && now - busySince < LONGEST_BUSY.toNanos();
        if (!isOutOfReach && !isTemporary) {
            isOutOfReach = true;
            complaints.accept("the log server at %s:%d gets no lines: %s. They are kept in %s, and sent later"
                    .formatted(server.getHostString(), server.getPort(), problem.getMessage(), describe()));
        }
    }

    /**
     * At the end, counts failures and not time: on a busy machine, even the first connection takes long. Refused once, it
     * shakes hands again: its proof may have been one for an earlier connection.
     */
    private boolean mayTryAgain(IOException problem) {
        LogConnection.CallException call = problem instanceof LogConnection.CallException known ? known : null;
        refusals = call != null && call.isRefused() ? refusals + 1 : 0;
        if (!isClosing()) {
            return true;
        }
        failuresAtEnd += call != null && call.isBusy() ? 0 : 1;
        gaveUp = failuresAtEnd == MOST_FAILURES_AT_END || refusals > 1;
        return !gaveUp;
    }

    private boolean isClosing() {
        lock.lock();
        try {
            return isClosing;
        } finally {
            lock.unlock();
        }
    }

    private String describe() {
        lock.lock();
        try {
            return current == null ? "the log files" : current.path().toString();
        } finally {
            lock.unlock();
        }
    }

    private void reached() {
        refusals = 0;
        busySince = null;
        acknowledgements.incrementAndGet();
        if (isOutOfReach) {
            isOutOfReach = false;
            complaints.accept("the log server gets lines again");
        }
    }

    /** Waits for news; returns whether there are any, or may still come. */
    private boolean awaitNews() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = LONG.toNanos();
            while (!isNews && !isClosing && left > 0) {
                left = hasNews.awaitNanos(left);
            }
            long linger = LINGER.toNanos();
            while (!isClosing && linger > 0) {
                linger = hasNews.awaitNanos(linger);
            }
            return isNews || !isClosing;
        } finally {
            lock.unlock();
        }
    }

    /** While it is closing, it tries often: there is little time. */
    private void awaitRetry(Duration pause) throws InterruptedException {
        lock.lockInterruptibly();
        try {
            long left = pause.toNanos();
            while (left > 0) {
                left = hasNews.awaitNanos(isClosing ? Math.min(left, LEAST_PAUSE.toNanos()) : left);
                left = isClosing ? 0 : left;
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Sends what is there, unless the server is out of reach for 50 attempts, acknowledges nothing for 30 s, or that takes 2 min.
     */
    @Override
    public void close() {
        lock.lock();
        try {
            isClosing = true;
            hasNews.signal();
        } finally {
            lock.unlock();
        }
        try {
            Linger lastWords = new Linger(acknowledgements.get(), System::nanoTime);
            while (thread.isAlive() && lastWords.left(acknowledgements.get()).toNanos() > 0) {
                thread.join(LOOK.toMillis());
            }
            if (thread.isAlive()) {
                thread.interrupt();
                thread.join(INTERRUPTED.toMillis());
                gaveUp = true;
            }
            if (gaveUp) {
                complaints.accept("the log server has not got all lines of this node; they are in " + describe());
            }
        } catch (InterruptedException e) {
            thread.interrupt();
            Thread.currentThread().interrupt();
        }
    }
}
