package dev.resiliency.pytorch;

import dev.resiliency.inprocess.CallWrapper;
import java.time.Duration;

/**
 * Creates process groups of PyTorch for one iteration. A restart aborts them by itself.
 *
 * <pre>{@code
 * wrapper.call(call -> {
 *     Net net = new Net(); // and everything else anew, from the checkpoint
 *     try (TensorGroup group = ProcessGroups.gloo(call)) {
 *         for (int step = restore(net); step < steps; step++) {
 *             call.ping();
 *             loss(net, step).backward();
 *             group.allReduce(net.gradients());
 *             …
 *         }
 *     }
 * });
 * }</pre>
 *
 * @since 0.1.0
 */
public final class ProcessGroups {
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration TIMEOUT = Duration.ofMinutes(5);

    private ProcessGroups() {}

    /**
     * Connects all active ranks with Gloo, for tensors in main memory. As {@link #gloo(CallWrapper, Duration, Duration)}
     * with 30 s and 5 min.
     */
    public static TensorGroup gloo(CallWrapper call) throws InterruptedException {
        return gloo(call, CONNECT_TIMEOUT, TIMEOUT);
    }

    /**
     * Connects all active ranks with Gloo, for tensors in main memory. All active ranks must call this. The connections
     * leave from the network interface that the environment variable {@code GLOO_SOCKET_IFNAME} names, by default from
     * that with the address of this host's name.
     *
     * @param connectTimeout how long to wait for the other ranks, and how long a native thread may stay behind that waits
     *     for a rank that has died meanwhile
     * @param timeout of each operation: the last resort if a rank stops and no restart begins
     * @throws ProcessGroupException if a rank does not come, or its connection fails
     */
    public static TensorGroup gloo(CallWrapper call, Duration connectTimeout, Duration timeout)
            throws InterruptedException {
        TorchLibrary.load();
        return GlooGroup.connect(call, connectTimeout, timeout);
    }

    /**
     * Connects all active ranks with NCCL, for tensors on the current CUDA device of each. All active ranks must call this,
     * with a native library of PyTorch for CUDA on the class path, such as that for {@code linux-x86_64-gpu}. A rank that
     * waits for its device is freed by the abort of PyTorch's own NCCL communicators, so do not register them with another
     * hook as well. Not yet run on a GPU.
     *
     * @param timeout of each operation: the last resort if a rank stops and no restart begins
     * @throws ProcessGroupException if the group cannot be created
     */
    public static TensorGroup nccl(CallWrapper call, Duration timeout) throws InterruptedException {
        TorchLibrary.load();
        return NcclGroup.create(call, timeout);
    }
}
