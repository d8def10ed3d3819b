package dev.resiliency.store.internal;

import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How a store calls what its users gave it. */
public final class Listeners {
    private static final Logger LOG = LoggerFactory.getLogger(Listeners.class);

    private Listeners() {}

    /** Tells the listener. Whatever it throws is logged and ends here: others wait for their news behind it. */
    public static <T> void tell(Consumer<? super T> listener, T news) {
        try {
            listener.accept(news);
        } catch (Throwable failure) {
            LOG.warn("A listener of the store failed on {}", news, failure);
        }
    }
}
