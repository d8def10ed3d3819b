package dev.resiliency.inprocess.internal;

import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.StoreFactory;
import dev.resiliency.monitor.spi.StoreNote;
import dev.resiliency.store.StoreException;
import dev.resiliency.store.StoreLostException;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.spi.StoreAddress;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The store of a job whose agents found it anew when its host is lost: where the agent of this process says that it is. It is opened,
 * and waited for, by one thread at a time.
 */
public final class FollowedStore implements StoreFactory {
    private static final Duration PAUSE = Duration.ofMillis(20);

    /** If the agent has not moved by then, perhaps only this process has lost the store. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** In which a store answers that is there. */
    private static final Duration ANSWER = Duration.ofSeconds(2);

    private final StoreNote note;
    private final Duration connectTimeout;
    private final Duration patience;
    /** The store that was opened last; null before the first. Written by the caller, read by the watchdog's thread. */
    private volatile @Nullable StoreAddress opened;

    /**
     * Creates the factory of a process.
     *
     * @param connectTimeout how long to keep trying to connect
     */
    public FollowedStore(StoreNote note, Duration connectTimeout) {
        this(note, connectTimeout, PATIENCE);
    }

    FollowedStore(StoreNote note, Duration connectTimeout, Duration patience) {
        this.note = note;
        this.connectTimeout = connectTimeout;
        this.patience = patience;
    }

    @Override
    public SessionStore open(Environment environment, int call) throws InterruptedException {
        StoreAddress there;
        try {
            there = note.read();
        } catch (IOException e) {
            throw new StoreException("the agent of this process does not say where the store is: " + e.getMessage(), e);
        }
        opened = there;
        return StoreFactory.external(there.host(), there.port(), connectTimeout).open(environment, call);
    }

    /** Returns why the store that was opened last is not that of the job any more; null if it is. */
    @Nullable
    StoreLostException left() {
        StoreAddress before = opened;
        try {
            return before == null || note.read().equals(before)
                    ? null
                    : new StoreLostException(before.toString(), "the agent of this process has left it", null);
        } catch (IOException e) { // the agent has ended, and ends this process
            return null;
        }
    }

    /**
     * Waits until the agent says that the store is elsewhere.
     *
     * @throws StoreLostException if it does not within the limit, or if the store is there, so that only this process has lost it
     */
    void awaitMove(Environment environment, int call, Duration limit) throws InterruptedException {
        long begin = System.nanoTime();
        long nextLook = begin + patience.toNanos();
        while (left() == null) {
            if (System.nanoTime() - begin >= limit.toNanos()) {
                throw notMoved("it was lost, and the agent of this process has not found another store within %d s"
                        .formatted(limit.toSeconds()));
            }
            if (System.nanoTime() - nextLook >= 0) {
                if (isThere(environment, call)) {
                    throw notMoved("this process has lost it, although it is there");
                }
                nextLook = System.nanoTime() + patience.toNanos();
            }
            TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
        }
    }

    private StoreLostException notMoved(String why) {
        return new StoreLostException(String.valueOf(opened), "the store at %s: %s".formatted(opened, why), null);
    }

    @SuppressWarnings("try") // that it opens is enough
    private boolean isThere(Environment environment, int call) throws InterruptedException {
        StoreAddress where = opened;
        if (where == null) {
            return false;
        }
        try (SessionStore session =
                StoreFactory.external(where.host(), where.port(), ANSWER).open(environment, call)) {
            return left() == null; // else the agent has just moved
        } catch (StoreException notThere) {
            return false;
        }
    }
}
