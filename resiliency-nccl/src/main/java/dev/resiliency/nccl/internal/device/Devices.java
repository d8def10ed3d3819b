package dev.resiliency.nccl.internal.device;

import dev.resiliency.nccl.CudaDevices;
import dev.resiliency.nccl.internal.natives.Bindings;
import dev.resiliency.nccl.internal.natives.Cuda;
import dev.resiliency.nccl.internal.natives.Nccl;

/** What is known of the devices of this host. */
public final class Devices {
    private Devices() {}

    /** See {@link CudaDevices#count}. */
    public static int count() {
        return Bindings.cuda().deviceCount();
    }

    /** See {@link CudaDevices#usedMemory}. */
    public static long usedMemory(int device) {
        Cuda cuda = Bindings.cuda();
        cuda.setDevice(device);
        return cuda.memory().used();
    }

    /** See {@link CudaDevices#versions}. */
    public static CudaDevices.Versions versions() {
        Nccl nccl = Bindings.nccl();
        return new CudaDevices.Versions(
                Cuda.versionText(nccl.cuda().runtimeVersion()),
                Cuda.versionText(nccl.cuda().driverVersion()),
                Nccl.versionText(nccl.version()));
    }
}
