package dev.resiliency.nccl;

/**
 * A function of CUDA, NCCL or NVML returned an error.
 *
 * @since 0.1.0
 */
public final class GpuCallException extends GpuException {
    private static final long serialVersionUID = 1L;

    private final String function;
    private final int code;

    /**
     * Creates an exception.
     *
     * @param function the name of the C function
     * @param place the device or communicator that it was called for
     * @param code the error that it returned
     * @param text the library's description of the error
     */
    public GpuCallException(String function, String place, int code, String text) {
        super("%s on %s failed with error %d: %s".formatted(function, place, code, text));
        this.function = function;
        this.code = code;
    }

    /** Returns the name of the C function. */
    public String function() {
        return function;
    }

    /** Returns the error that the function returned: a {@code cudaError_t}, {@code ncclResult_t} and so on. */
    public int code() {
        return code;
    }
}
