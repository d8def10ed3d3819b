package dev.resiliency.nccl;

import java.time.Duration;

/** A call into the driver or NCCL has not ended within its limit; its thread is left behind. */
public final class GpuTimeoutException extends GpuException {
    private static final long serialVersionUID = 1L;

    private final Duration limit;

    /** What has not ended within which limit, and what is known of the reason. */
    public GpuTimeoutException(String what, Duration limit, String detail) {
        super("%s has not ended within %d ms; %s".formatted(what, limit.toMillis(), detail));
        this.limit = limit;
    }

    /** How long it had. */
    public Duration limit() {
        return limit;
    }
}
