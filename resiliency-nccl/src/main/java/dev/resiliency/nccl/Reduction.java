package dev.resiliency.nccl;

/** How elements of several ranks become one, with NCCL's number for it. */
public enum Reduction {
    /** Their sum. */
    SUM(0),
    /** Their product. */
    PRODUCT(1),
    /** The largest. */
    MAXIMUM(2),
    /** The smallest. */
    MINIMUM(3),
    /** Their mean. */
    AVERAGE(4);

    private final int code;

    Reduction(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }
}
