package dev.resiliency.store;

import java.time.Duration;

/**
 * Thrown when not all expected participants arrive at a barrier in time.
 *
 * @since 0.1.0
 */
public final class BarrierTimeoutException extends StoreException {
    private static final long serialVersionUID = 1L;

    private final String barrier;
    private final transient IndexSet arrived;
    private final transient IndexSet expected;
    private final Duration timeout;

    /** Creates an exception whose message names the barrier and the missing participants. */
    public BarrierTimeoutException(String barrier, IndexSet arrived, IndexSet expected, Duration timeout) {
        super(message(barrier, arrived, expected, timeout));
        this.barrier = barrier;
        this.arrived = arrived;
        this.expected = expected;
        this.timeout = timeout;
    }

    private static String message(String barrier, IndexSet arrived, IndexSet expected, Duration timeout) {
        IndexSet missing = expected.minus(arrived);
        return "barrier %s: %d of %d arrived after %s s; missing %s"
                .formatted(
                        barrier,
                        expected.size() - missing.size(),
                        expected.size(),
                        timeout.toMillis() / 1000.0,
                        missing);
    }

    /** Returns the name of the barrier. */
    public String barrier() {
        return barrier;
    }

    /** Returns the participants that arrived or were excused. */
    public IndexSet arrived() {
        return arrived;
    }

    /** Returns the expected participants. */
    public IndexSet expected() {
        return expected;
    }

    /** Returns the expected participants that neither arrived nor were excused. */
    public IndexSet missing() {
        return expected.minus(arrived);
    }

    /** Returns the limit that was reached. */
    public Duration timeout() {
        return timeout;
    }
}
