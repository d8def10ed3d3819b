package dev.resiliency.nccl;

import org.jspecify.annotations.Nullable;

/**
 * This process cannot use a GPU: the driver, a library, a symbol of it or a device is missing. The message names it and
 * says what to do. A program that can do without a GPU catches this one.
 */
public final class GpuUnavailableException extends GpuException {
    private static final long serialVersionUID = 1L;

    /** An exception that names what is missing. */
    public GpuUnavailableException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
