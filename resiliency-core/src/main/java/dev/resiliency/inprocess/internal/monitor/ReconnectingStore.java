package dev.resiliency.inprocess.internal.monitor;

import dev.resiliency.store.StoreException;
import dev.resiliency.store.spi.Operation;
import dev.resiliency.store.spi.SessionStore;
import dev.resiliency.store.spi.StoreAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Opens another session when its session is lost for good: the requests of a monitor process concern its rank's
 * session, which may still be alive. Until then, requests fail as on any lost session.
 *
 * <p>Thread: {@code resiliency-reconnect}, until there is a new session.
 */
final class ReconnectingStore implements SessionStore {
    private final Connector connector;
    private final Duration pause;
    private final Consumer<String> log;
    private final Runnable onLost;
    /** Written by the connecting thread while it holds the lock of this store. */
    private volatile SessionStore current;
    /** Ends the pauses between attempts. */
    private final CountDownLatch closing = new CountDownLatch(1);
    /** Guarded by this store. */
    private boolean closed;
    /** Opens the next session; null if none was needed yet. Guarded by this store. */
    private @Nullable Thread connecting;

    /** Connects to a store within a limited time. */
    interface Connector {
        /**
         * Opens a session.
         *
         * @throws StoreReplacedException if no session of this store can ever be opened again
         */
        SessionStore connect() throws InterruptedException;
    }

    /** Thrown when another store is now where this one was. */
    static final class StoreReplacedException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        StoreReplacedException(String message) {
            super(message);
        }
    }

    private ReconnectingStore(
            Connector connector, Duration pause, Consumer<String> log, Runnable onLost, SessionStore first) {
        this.connector = connector;
        this.pause = pause;
        this.log = log;
        this.onLost = onLost;
        this.current = first;
    }

    /**
     * Connects for the first time.
     *
     * @param pause the time between two attempts to open another session
     * @param onLost called whenever a session is lost
     */
    static ReconnectingStore connect(Connector connector, Duration pause, Consumer<String> log, Runnable onLost)
            throws InterruptedException {
        ReconnectingStore store = new ReconnectingStore(connector, pause, log, onLost, connector.connect());
        store.current.onLost(store::reconnect);
        return store;
    }

    /** Called on a thread of the session that was lost. */
    private synchronized void reconnect(StoreException reason) {
        if (closed) {
            return;
        }
        log.accept("its session on the store is lost; it opens another: " + reason.getMessage());
        onLost.run();
        connecting = new Thread(this::connectUntilItWorks, "resiliency-reconnect");
        connecting.setDaemon(true);
        connecting.start();
    }

    private void connectUntilItWorks() {
        try {
            SessionStore next = null;
            while (next == null && !closing.await(pause.toNanos(), TimeUnit.NANOSECONDS)) {
                next = tryToConnect();
                if (next != null) {
                    use(next);
                }
            }
        } catch (StoreReplacedException e) {
            log.accept(e.getMessage() + ": nothing is reported from now on");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // closed meanwhile
        }
    }

    private @Nullable SessionStore tryToConnect() throws InterruptedException {
        try {
            return connector.connect();
        } catch (StoreException notYet) {
            return null; // the reason of the loss is already logged; a line per attempt would flood the log
        }
    }

    private void use(SessionStore next) {
        SessionStore last;
        synchronized (this) {
            last = closed ? next : current;
            if (!closed) {
                current = next;
            }
        }
        last.close();
        if (last != next) {
            log.accept("has opened another session on the store");
            next.onLost(this::reconnect);
        }
    }

    @Override
    public CompletableFuture<List<@Nullable Object>> submit(List<? extends Operation<?>> operations, Duration timeout) {
        return current.submit(operations, timeout);
    }

    @Override
    public void send(List<? extends Operation<?>> operations) {
        current.send(operations);
    }

    /** Never calls the listener: this store is not lost. */
    @Override
    public void onLost(Consumer<? super StoreException> listener) {}

    @Override
    public Duration timeout() {
        return current.timeout();
    }

    @Override
    public long session() {
        return current.session();
    }

    @Override
    public Operation.Renew renewal() {
        return current.renewal();
    }

    @Override
    public @Nullable StoreAddress address() {
        return current.address();
    }

    /** The same as {@link #close}: these sessions have no last will. */
    @Override
    public void abandon() {
        close();
    }

    @Override
    public void close() {
        SessionStore last;
        synchronized (this) {
            closed = true;
            closing.countDown();
            last = current;
            if (connecting != null) {
                connecting.interrupt();
            }
        }
        last.close();
    }
}
