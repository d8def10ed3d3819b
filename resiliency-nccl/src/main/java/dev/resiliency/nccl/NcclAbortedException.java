package dev.resiliency.nccl;

/**
 * The communicator was aborted or closed: the results of its operations must not be used.
 *
 * @since 0.1.0
 */
public final class NcclAbortedException extends GpuException {
    private static final long serialVersionUID = 1L;

    /** Creates an exception whose message names the communicator. */
    public NcclAbortedException(String message) {
        super(message + ": its operations have no result");
    }
}
