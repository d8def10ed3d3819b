package dev.resiliency.nccl.internal.health;

import dev.resiliency.inprocess.HealthCheck;
import dev.resiliency.nccl.GpuHealthChecks;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/** Creates the checks of devices and hosts. */
public final class HealthChecks {
    private HealthChecks() {}

    /** See {@link GpuHealthChecks#cuda}. */
    public static HealthCheck cuda(int device, Duration limit) {
        return new CudaHealthCheck(device, limit);
    }

    /** See {@link GpuHealthChecks#gpuRecovery}. */
    public static HealthCheck gpuRecovery(int device) {
        return new GpuRecoveryHealthCheck(() -> ManagedDevice.find(device));
    }

    /** See {@link GpuHealthChecks#nvLink}. */
    public static HealthCheck nvLink(int device, long errorLimit) throws InterruptedException {
        return NvLinkHealthCheck.of(ManagedDevice.find(device), errorLimit);
    }

    /** See {@link GpuHealthChecks#xid}. */
    public static GpuHealthChecks.XidCheck xid(int device, Set<Long> tolerated) throws InterruptedException {
        return XidHealthCheck.of(ManagedDevice.find(device), tolerated);
    }

    /** See {@link GpuHealthChecks#nic}. */
    public static HealthCheck nic(Path sysfs) throws IOException {
        return new NicHealthCheck(new NicLinks(sysfs));
    }

    /** See {@link GpuHealthChecks#status}. */
    public static GpuHealthChecks.Status status(int device) throws InterruptedException {
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
