package dev.resiliency.store;

/**
 * Someone arrived at a barrier who is not expected there: two jobs share a store, or a rank has a wrong number.
 *
 * @since 0.1.0
 */
public final class BarrierOverflowException extends StoreException {
    private static final long serialVersionUID = 1L;

    private final String barrier;
    private final transient IndexSet unexpected;
    private final transient IndexSet expected;
    private final transient IndexSet arrived;

    /** A message that names the barrier, who is not expected, and who has arrived so far. */
    public BarrierOverflowException(String barrier, IndexSet unexpected, IndexSet expected, IndexSet arrived) {
        super(
                "barrier %s: participants %s are not expected (expected %s, arrived so far %s); does another job use this store?"
                        .formatted(barrier, unexpected, expected, arrived));
        this.barrier = barrier;
        this.unexpected = unexpected;
        this.expected = expected;
        this.arrived = arrived;
    }

    /** The name of the barrier. */
    public String barrier() {
        return barrier;
    }

    /** Who arrived without being expected. */
    public IndexSet unexpected() {
        return unexpected;
    }

    /** Who was expected. */
    public IndexSet expected() {
        return expected;
    }

    /** Who had arrived before. */
    public IndexSet arrived() {
        return arrived;
    }
}
