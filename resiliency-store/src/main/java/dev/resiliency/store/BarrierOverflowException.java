package dev.resiliency.store;

/**
 * Thrown when a participant arrives at a barrier that does not expect it: two jobs share a store, or a rank has the
 * wrong number.
 *
 * @since 0.1.0
 */
public final class BarrierOverflowException extends StoreException {
    private static final long serialVersionUID = 1L;

    private final String barrier;
    private final transient IndexSet unexpected;
    private final transient IndexSet expected;
    private final transient IndexSet arrived;

    /**
     * Creates an exception whose message names the barrier, the unexpected participants and those that have arrived so
     * far.
     */
    public BarrierOverflowException(String barrier, IndexSet unexpected, IndexSet expected, IndexSet arrived) {
        super(
                "barrier %s: participants %s are not expected (expected %s, arrived so far %s); does another job use this store?"
                        .formatted(barrier, unexpected, expected, arrived));
        this.barrier = barrier;
        this.unexpected = unexpected;
        this.expected = expected;
        this.arrived = arrived;
    }

    /** Returns the name of the barrier. */
    public String barrier() {
        return barrier;
    }

    /** Returns the participants that arrived without being expected. */
    public IndexSet unexpected() {
        return unexpected;
    }

    /** Returns the expected participants. */
    public IndexSet expected() {
        return expected;
    }

    /** Returns the participants that had arrived before. */
    public IndexSet arrived() {
        return arrived;
    }
}
