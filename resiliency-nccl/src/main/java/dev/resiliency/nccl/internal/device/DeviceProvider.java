package dev.resiliency.nccl.internal.device;

import dev.resiliency.inprocess.Finalize;
import dev.resiliency.nccl.CudaDevices;
import dev.resiliency.nccl.CudaModule;
import dev.resiliency.nccl.CudaStream;
import dev.resiliency.nccl.DataType;
import dev.resiliency.nccl.DeviceBuffer;
import dev.resiliency.nccl.internal.natives.Bindings;
import dev.resiliency.nccl.internal.natives.Cuda;
import dev.resiliency.nccl.internal.natives.Nccl;
import java.time.Duration;

/** Implements the part of the API that needs no communicator. */
public final class DeviceProvider implements CudaDevices.Provider {

    @Override
    public int count() {
        return Bindings.cuda().deviceCount();
    }

    @Override
    public long usedMemory(int device) {
        Cuda cuda = Bindings.cuda();
        cuda.setDevice(device);
        return cuda.memory().used();
    }

    @Override
    public CudaDevices.Versions versions() {
        Nccl nccl = Bindings.nccl();
        return new CudaDevices.Versions(
                Cuda.versionText(nccl.cuda().runtimeVersion()),
                Cuda.versionText(nccl.cuda().driverVersion()),
                Nccl.versionText(nccl.version()));
    }

    @Override
    public CudaStream createStream(int device) {
        return DeviceStream.create(device);
    }

    @Override
    public CudaModule loadModule(int device, String ptx) {
        return PtxModule.load(device, ptx);
    }

    @Override
    public DeviceBuffer allocate(int device, DataType type, long count) {
        return DeviceMemory.allocate(device, type, count);
    }

    @Override
    public Finalize reclaimMemory(int device, long tolerance, Duration limit, Duration interval)
            throws InterruptedException {
        return MemoryReclaim.of(device, tolerance, limit, interval);
    }
}
