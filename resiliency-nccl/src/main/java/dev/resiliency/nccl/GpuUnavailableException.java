package dev.resiliency.nccl;

import org.jspecify.annotations.Nullable;

/**
 * This process cannot use a GPU: the driver, a library, one of its symbols or a device is missing. The message names it and
 * says what to do. A program that can run without a GPU catches this exception.
 *
 * @since 0.1.0
 */
public final class GpuUnavailableException extends GpuException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception whose message names what is missing. */
    public GpuUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
