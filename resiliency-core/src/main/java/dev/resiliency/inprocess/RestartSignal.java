package dev.resiliency.inprocess;

/**
 * Thrown into the wrapped function when its iteration must end. Let it through: it is an {@link Error}, so that {@code
 * catch (Exception e)} does not swallow it. Corresponds to nvidia-resiliency-ext's {@code RankShouldRestart}.
 *
 * @since 0.1.0
 */
public final class RestartSignal extends Error {
    private static final long serialVersionUID = 1L;

    /** Creates a signal that ends this iteration. */
    public RestartSignal(int iteration) {
        super("iteration " + iteration + " is over: let this error through, the function will be called again");
    }
}
