package dev.resiliency.store.internal;

import dev.resiliency.store.Value;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls the listeners that users passed to a store. */
public final class Listeners {
    private static final Logger LOG = LoggerFactory.getLogger(Listeners.class);

    private static final int SHOWN_CHARACTERS = 512;

    private Listeners() {}

    /**
     * Calls the listener. Whatever it throws is logged and goes no further, as other listeners are still to be called.
     */
    public static <T> void tell(Consumer<? super T> listener, T news) {
        try {
            listener.accept(news);
        } catch (Throwable failure) {
            LOG.warn(
                    "A listener of the store failed on {}",
                    Value.printable(String.valueOf(news), SHOWN_CHARACTERS),
                    failure);
        }
    }
}
