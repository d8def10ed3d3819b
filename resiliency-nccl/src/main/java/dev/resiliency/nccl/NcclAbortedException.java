package dev.resiliency.nccl;

/** The communicator was aborted or closed: results of what it was doing are not to be used. */
public final class NcclAbortedException extends GpuException {
    private static final long serialVersionUID = 1L;

    NcclAbortedException(String message) {
        super(message + ": what it was doing has no result");
    }
}
