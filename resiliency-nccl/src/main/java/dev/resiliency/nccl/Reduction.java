package dev.resiliency.nccl;

/**
 * An operation that combines the elements of several ranks into one.
 *
 * @since 0.1.0
 */
public enum Reduction {
    /** The sum. */
    SUM(0),
    /** The product. */
    PRODUCT(1),
    /** The largest element. */
    MAXIMUM(2),
    /** The smallest element. */
    MINIMUM(3),
    /** The mean. */
    AVERAGE(4);

    private final int code;

    Reduction(int code) {
        this.code = code;
    }

    /** Returns NCCL's number for it, an {@code ncclRedOp_t}. */
    public int code() {
        return code;
    }
}
