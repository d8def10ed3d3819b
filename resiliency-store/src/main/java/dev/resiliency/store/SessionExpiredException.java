package dev.resiliency.store;

/**
 * The store has ended this session, so its owner counts as dead: it must leave what it took part in.
 *
 * @since 0.1.0
 */
public final class SessionExpiredException extends StoreException {
    private static final long serialVersionUID = 1L;

    /** A message that says why the session ended. */
    public SessionExpiredException(String message) {
        super(message);
    }
}
