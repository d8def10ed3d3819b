package dev.resiliency.store.internal;

import dev.resiliency.store.StoreException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Records whether and why a session ended, and notifies its listeners. Thread-safe; its monitor guards all fields. */
public final class SessionEnd {
    private final List<Consumer<? super StoreException>> listeners = new ArrayList<>();
    private @Nullable Supplier<? extends StoreException> reason;
    private boolean isGoodbye;

    /**
     * Returns a supplier of exceptions that say why the session ended, a new one per call; null if it has not ended.
     */
    public synchronized @Nullable Supplier<? extends StoreException> reason() {
        return reason;
    }

    /**
     * Records that the owner closed the session, which listeners do not learn. Returns false if it had already ended.
     */
    public synchronized boolean goodbye(Supplier<? extends StoreException> why) {
        if (reason != null) {
            return false;
        }
        reason = why;
        isGoodbye = true;
        listeners.clear();
        return true;
    }

    /** Records the loss of the session; {@link #tell} must follow. Returns false if it had already ended. */
    public synchronized boolean lost(Supplier<? extends StoreException> why) {
        if (reason != null) {
            return false;
        }
        reason = why;
        return true;
    }

    /** Calls the listener when the session is lost; at once if it already is. */
    public void listen(Consumer<? super StoreException> listener) {
        Supplier<? extends StoreException> lost;
        synchronized (this) {
            if (reason == null) {
                listeners.add(listener);
                return;
            }
            lost = reason;
            if (isGoodbye) {
                return;
            }
        }
        Listeners.tell(listener, lost.get());
    }

    /** Notifies the listeners, once, why the session was lost. */
    public void tell() {
        List<Consumer<? super StoreException>> toNotify;
        Supplier<? extends StoreException> why;
        synchronized (this) {
            toNotify = List.copyOf(listeners);
            listeners.clear();
            why = reason;
        }
        if (why != null) {
            toNotify.forEach(listener -> Listeners.tell(listener, why.get()));
        }
    }
}
