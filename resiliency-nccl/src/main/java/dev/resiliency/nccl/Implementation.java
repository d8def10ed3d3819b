package dev.resiliency.nccl;

import java.util.ServiceLoader;

/** Finds the classes behind this package, which it does not import: each one once. */
final class Implementation {
    static final CudaDevices.Provider DEVICES = find(CudaDevices.Provider.class);
    static final NcclCommunicator.Provider COMMUNICATORS = find(NcclCommunicator.Provider.class);
    static final GpuHealthChecks.Provider HEALTH_CHECKS = find(GpuHealthChecks.Provider.class);

    private Implementation() {}

    private static <T> T find(Class<T> type) {
        return ServiceLoader.load(type, type.getClassLoader())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no implementation of " + type.getName()
                        + " is found: a jar that repackages resiliency-nccl must keep its META-INF/services"));
    }
}
