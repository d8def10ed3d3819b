package dev.resiliency.store.spi;

import dev.resiliency.store.internal.LocalStore;
import java.time.Duration;

/**
 * A store within this process: for tests, and for jobs of one rank. Several sessions may share its contents, as the ranks
 * of a job do, and each may {@linkplain #abandon() die}.
 *
 * <p>It runs on its callers' threads, and needs one of its own only while a request waits or a session has a lease. It
 * calls a listener on the thread that made the change.
 *
 * @since 0.1.0
 */
public interface InMemoryStore extends SessionStore {

    /** Returns a new, empty store with a {@linkplain #timeout() limit} of 300 s. */
    static InMemoryStore create() {
        return create(Duration.ofMinutes(5));
    }

    /** Returns a new, empty store whose calls wait for at most {@code timeout} unless they name their own limit. */
    static InMemoryStore create(Duration timeout) {
        return LocalStore.create(timeout);
    }

    /** Returns another session on the contents of this store, as another rank has it. It must be closed as well. */
    InMemoryStore newSession();
}
