package dev.resiliency.nccl.health;

import dev.resiliency.inprocess.HealthCheck;
import dev.resiliency.inprocess.State;
import dev.resiliency.nccl.GpuCallException;
import dev.resiliency.nccl.GpuTimeoutException;
import dev.resiliency.nccl.GpuUnavailableException;
import dev.resiliency.nccl.internal.Bindings;
import dev.resiliency.nccl.internal.Cuda;
import dev.resiliency.nccl.internal.NativeCall;
import java.time.Duration;

/**
 * Fails if this process can no longer use its device: it waits for all work of the device, twice, within a limit. A
 * kernel that never ends is found by the limit, and a spoilt context, as an illegal address leaves it, by its error: no
 * call on the device works in this process any more. The guide's {@code CudaHealthCheck}.
 */
public final class CudaHealthCheck implements HealthCheck {
    /** How long the work that is left may take. */
    public static final Duration DEFAULT_LIMIT = Duration.ofSeconds(30);

    private final int device;
    private final Duration limit;

    private CudaHealthCheck(int device, Duration limit) {
        this.device = device;
        this.limit = limit;
    }

    /** Checks the device whose number is {@code LOCAL_RANK} within {@link #DEFAULT_LIMIT}. */
    public static CudaHealthCheck create() {
        return of(Devices.ofLocalRank(), DEFAULT_LIMIT);
    }

    /** Checks this device within this limit, which should be less than the soft timeout. */
    public static CudaHealthCheck of(int device, Duration limit) {
        return new CudaHealthCheck(device, limit);
    }

    /**
     * Waits for the device.
     *
     * @throws GpuUnavailableException if a library or the device is missing
     * @throws GpuTimeoutException if its work does not end within the limit
     * @throws GpuCallException if CUDA reports an error
     */
    @Override
    public void check(State state) throws InterruptedException {
        // The first one waits for what was begun before; its error may be of that. The second one has nothing to wait
        // for.
        NativeCall.run("synchronisation of device " + device, limit, this::synchronize);
        NativeCall.run("second synchronisation of device " + device, limit, this::synchronize);
    }

    private void synchronize() {
        Cuda cuda = Bindings.cuda();
        cuda.setDevice(device);
        cuda.synchronizeDevice();
    }
}
