import dev.resiliency.nccl.CudaDevices;
import dev.resiliency.nccl.GpuHealthChecks;
import dev.resiliency.nccl.NcclCommunicator;
import dev.resiliency.nccl.internal.communicator.CommunicatorProvider;
import dev.resiliency.nccl.internal.device.DeviceProvider;
import dev.resiliency.nccl.internal.health.HealthCheckProvider;

/** NCCL communicators that a restart can abort, and health checks for the hosts of GPU training. */
module dev.resiliency.nccl {
    requires static transitive org.jspecify;
    requires transitive dev.resiliency.core;
    requires org.bytedeco.cuda;
    requires org.bytedeco.javacpp;
    requires org.slf4j;

    exports dev.resiliency.nccl;

    uses CudaDevices.Provider;
    uses GpuHealthChecks.Provider;
    uses NcclCommunicator.Provider;

    provides CudaDevices.Provider with
            DeviceProvider;
    provides GpuHealthChecks.Provider with
            HealthCheckProvider;
    provides NcclCommunicator.Provider with
            CommunicatorProvider;
}
