package dev.resiliency.testing;

/**
 * Thrown by the function when {@link FaultKind#ERROR} is injected.
 *
 * @since 0.1.0
 */
public final class InjectedError extends Error {
    private static final long serialVersionUID = 1L;

    InjectedError(Fault fault) {
        super("injected: " + fault);
    }
}
