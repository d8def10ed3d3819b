package dev.resiliency.examples.gpu;

import dev.resiliency.examples.job.Program;
import dev.resiliency.nccl.CudaDevices;
import dev.resiliency.nccl.GpuUnavailableException;
import dev.resiliency.testing.ProcessJob;
import java.nio.file.Path;

/** How to start ranks that use the GPUs of this host. */
final class GpuRanks {
    /** Ranks share GPUs if there are not enough: NCCL rejects two on one GPU unless they seem to be on two hosts. */
    private static final String SHARING =
            "export LOCAL_RANK=$((RANK %% %d)) NCCL_HOSTID=rank-$RANK NCCL_NET=Socket NCCL_SOCKET_IFNAME=lo; exec \"$@\"";

    private GpuRanks() {}

    /** Returns the number of GPUs; if there are none, it says what is missing. */
    static int devices() {
        try {
            int devices = CudaDevices.count();
            if (devices == 0) {
                Program.say("error: driver and CUDA are installed, but this process sees no GPU");
            }
            return devices;
        } catch (GpuUnavailableException e) {
            Program.say("error: " + e.getMessage());
            return 0;
        }
    }

    /** Returns the settings of a job; {@code devices} is the number of GPUs, and the directory for its logs. */
    static ProcessJob.Builder of(Class<?> program, int worldSize, int devices, Path directory) {
        ProcessJob.Builder settings = ProcessJob.builder(program, directory)
                .worldSize(worldSize)
                .javaOptions("-Xmx1g", "-XX:-UsePerfData", "-XX:+DisplayVMOutputToStderr")
                .environment("NCCL_NVLS_ENABLE", "0"); // required by aborts
        System.getProperties().stringPropertyNames().stream()
                .filter(name -> name.startsWith("resiliency.lib"))
                .forEach(name -> settings.javaOptions("-D" + name + "=" + System.getProperty(name)));
        if (worldSize > devices) {
            settings.prefix("sh", "-c", SHARING.formatted(devices), "sh");
        }
        return settings;
    }
}
