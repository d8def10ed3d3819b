package dev.resiliency.nccl;

/** A call of CUDA, NCCL or NVML has returned an error. */
public final class GpuCallException extends GpuException {
    private static final long serialVersionUID = 1L;

    private final String function;
    private final int code;

    /**
     * An error of this function.
     *
     * @param place which device or communicator it worked on
     * @param text what the library says about the code
     */
    public GpuCallException(String function, String place, int code, String text) {
        super("%s on %s failed with error %d: %s".formatted(function, place, code, text));
        this.function = function;
        this.code = code;
    }

    /** The name of the C function. */
    public String function() {
        return function;
    }

    /** What it has returned. */
    public int code() {
        return code;
    }
}
