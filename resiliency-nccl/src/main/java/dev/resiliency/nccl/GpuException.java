package dev.resiliency.nccl;

import dev.resiliency.inprocess.ResiliencyException;
import org.jspecify.annotations.Nullable;

/**
 * A fault of a GPU or its libraries: an error, a call that does not return within its limit, a health check that failed. The
 * root of the exceptions of this module.
 *
 * @since 0.1.0
 */
public class GpuException extends ResiliencyException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception whose message says what happened, on which device, and what to do. */
    public GpuException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }

    /** Creates an exception without a cause. */
    public GpuException(String message) {
        this(message, null);
    }
}
