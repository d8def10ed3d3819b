package dev.resiliency.nccl.internal.health;

import dev.resiliency.inprocess.HealthCheck;
import dev.resiliency.inprocess.State;
import dev.resiliency.nccl.internal.natives.Bindings;
import dev.resiliency.nccl.internal.natives.Cuda;
import dev.resiliency.nccl.internal.natives.NativeCall;
import java.time.Duration;

/** Synchronizes a device twice, each time within a limit. */
final class CudaHealthCheck implements HealthCheck {
    private final int device;
    private final Duration limit;

    CudaHealthCheck(int device, Duration limit) {
        this.device = device;
        this.limit = limit;
    }

    /** The first call waits for earlier work, and may return its error. The second one has nothing to wait for. */
    @Override
    public void check(State state) throws InterruptedException {
        NativeCall.run("synchronization of device " + device, limit, this::synchronize);
        NativeCall.run("second synchronization of device " + device, limit, this::synchronize);
    }

    private void synchronize() {
        Cuda cuda = Bindings.cuda();
        cuda.setDevice(device);
        cuda.synchronizeDevice();
    }
}
