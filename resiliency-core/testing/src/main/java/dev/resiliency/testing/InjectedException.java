package dev.resiliency.testing;

/**
 * Thrown by the function when {@link FaultKind#EXCEPTION} or {@link FaultKind#ASYNC_EXCEPTION} is injected.
 *
 * @since 0.1.0
 */
public final class InjectedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InjectedException(Fault fault) {
        super("injected: " + fault);
    }
}
