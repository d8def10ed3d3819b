package dev.resiliency.store;

/**
 * Thrown when the store has ended this session, so that its owner counts as dead and must leave the job.
 *
 * @since 0.1.0
 */
public final class SessionExpiredException extends StoreException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception whose message says why the session ended. */
    public SessionExpiredException(String message) {
        super(message);
    }
}
