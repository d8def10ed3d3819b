package dev.resiliency.nccl;

import org.jspecify.annotations.Nullable;

/** The root of what goes wrong with a GPU and its libraries. */
public class GpuException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** An exception with a message that says what happened, on which device, and what to do. */
    public GpuException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** The same, without a cause. */
    public GpuException(String message) {
        this(message, null);
    }
}
