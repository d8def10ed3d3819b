package dev.resiliency.nccl;

import dev.resiliency.inprocess.Abort;
import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.nccl.internal.communicator.Aborts;
import dev.resiliency.nccl.internal.communicator.RegisteredCommunicator;
import java.time.Duration;

/**
 * Creates a hook that aborts all NCCL communicators of this rank at the same time, so that whatever waits for their work
 * returns. nvidia-resiliency-ext's {@code AbortTorchDistributed}.
 *
 * <p>Each {@link NcclCommunicator} and each registered communicator is aborted with its iteration even without the hook. The
 * hook is needed only for an order: {@code Abort.compose(other, AbortNccl.create())} runs {@code other} when NCCL no longer
 * uses the GPU. An abort that does not end within the limit is reported once and left running.
 *
 * @since 0.1.0
 */
public final class AbortNccl {
    /** How long aborts may take: 8 s, a little less than a restart waits for abort hooks. */
    public static final Duration DEFAULT_LIMIT = Duration.ofSeconds(8);

    private AbortNccl() {}

    /** Returns a hook with {@link #DEFAULT_LIMIT}. */
    public static Abort create() {
        return withLimit(DEFAULT_LIMIT);
    }

    /**
     * Returns a hook. It throws a {@link GpuException} that names each communicator whose abort is stuck or failed, and the
     * reason, unless that was reported before.
     *
     * @param limit how long it waits for all aborts together
     * @throws IllegalArgumentException if the limit is not positive
     */
    public static Abort withLimit(Duration limit) {
        if (limit.isNegative() || limit.isZero()) {
            throw new IllegalArgumentException("the limit is " + limit + ": it must be positive");
        }
        return Aborts.withLimit(limit);
    }

    /**
     * Registers a communicator of another library, for this iteration.
     *
     * @param communicator the {@code ncclComm_t}
     * @param device its device
     * @param name its name in messages
     * @return the registration: close it before the other library frees the communicator, which the library must not do if
     *     {@link Registration#isAborted} then returns true
     * @throws GpuUnavailableException if NCCL cannot be loaded
     */
    public static Registration register(CallWrapper call, long communicator, int device, String name) {
        return RegisteredCommunicator.register(call, communicator, device, name);
    }

    /**
     * A communicator of another library, which is aborted with its iteration; see {@link #register}.
     *
     * @since 0.1.0
     */
    public interface Registration extends AutoCloseable {

        /**
         * Returns whether the communicator was aborted, or is being aborted: then NCCL frees it, and nothing else may. If it
         * returns false after {@link #close}, it will never return true.
         */
        boolean isAborted();

        /** Excludes the communicator from later aborts; too late if {@link #isAborted} returns true. */
        @Override
        void close();
    }
}
