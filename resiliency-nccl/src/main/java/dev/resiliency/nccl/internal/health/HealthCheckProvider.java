package dev.resiliency.nccl.internal.health;

import dev.resiliency.inprocess.HealthCheck;
import dev.resiliency.nccl.GpuHealthChecks;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/** Implements the part of the API that checks devices and hosts. */
public final class HealthCheckProvider implements GpuHealthChecks.Provider {

    @Override
    public HealthCheck cuda(int device, Duration limit) {
        return new CudaHealthCheck(device, limit);
    }

    @Override
    public HealthCheck gpuRecovery(int device) {
        return new GpuRecoveryHealthCheck(() -> ManagedDevice.find(device));
    }

    @Override
    public HealthCheck nvLink(int device, long errorLimit) throws InterruptedException {
        return NvLinkHealthCheck.of(ManagedDevice.find(device), errorLimit);
    }

    @Override
    public GpuHealthChecks.XidCheck xid(int device, Set<Long> tolerated) throws InterruptedException {
        return XidHealthCheck.of(ManagedDevice.find(device), tolerated);
    }

    @Override
    public HealthCheck nic(Path sysfs) throws IOException {
        return new NicHealthCheck(new NicLinks(sysfs));
    }

    @Override
    public GpuHealthChecks.Status status(int device) throws InterruptedException {
        ManagedDevice managed = ManagedDevice.find(device);
        return managed.ask("status", (nvml, address) -> {
            NvLinks links = NvLinks.read(nvml, address);
            return new GpuHealthChecks.Status(
                    managed.toString(),
                    nvml.driverVersion(),
                    nvml.recoveryAction(address),
                    links.links().size(),
                    (int) links.links().stream().filter(NvLinks.Link::up).count());
        });
    }
}
