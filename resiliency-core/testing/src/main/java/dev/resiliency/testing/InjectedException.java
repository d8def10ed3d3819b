package dev.resiliency.testing;

/** What the function throws when {@link FaultKind#EXCEPTION} or {@link FaultKind#ASYNC_EXCEPTION} is injected. */
public final class InjectedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    InjectedException(Fault fault) {
        super("injected: " + fault);
    }
}
