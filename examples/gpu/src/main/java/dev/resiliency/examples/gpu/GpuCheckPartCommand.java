package dev.resiliency.examples.gpu;

import dev.resiliency.examples.job.Program;
import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.HealthCheck;
import dev.resiliency.inprocess.State;
import dev.resiliency.nccl.CudaDevices;
import dev.resiliency.nccl.CudaModule;
import dev.resiliency.nccl.CudaStream;
import dev.resiliency.nccl.GpuCallException;
import dev.resiliency.nccl.GpuException;
import dev.resiliency.nccl.GpuHealthChecks;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code gpu-check-part}: one process of one check. Its last line of output is the detail in the table. */
@Command(name = "gpu-check-part")
public final class GpuCheckPartCommand implements Callable<Integer> {
    private static final State ALONE = new State(0, 1, 0, 1, State.Mode.ACTIVE, 0, 1, 0);
    private static final Duration FIRST_LIMIT = Duration.ofSeconds(30);
    private static final Duration SPIN_LIMIT = Duration.ofSeconds(2);

    @Option(names = "--part", required = true)
    private CheckPart part = CheckPart.LIBRARIES;

    private final int device = Environment.fromVariables().localRank();

    /** Runs this program. */
    public static void main(String[] arguments) {
        Program.run(new GpuCheckPartCommand(), arguments);
    }

    @Override
    public Integer call() throws Exception {
        String detail = switch (part) {
            case LIBRARIES -> libraries();
            case NVML -> nvml();
            case SUM, CREATION, CHILD, SHRINK, KILL, RESTARTS, STATE -> new GpuJob(device).run(part);
            case ILLEGAL -> illegal();
            case SPIN -> spin();
        };
        Program.say(detail);
        Runtime.getRuntime().halt(0); // a spinning kernel would block an orderly exit
        return 0;
    }

    private static String libraries() {
        CudaDevices.Versions versions = CudaDevices.versions();
        return "CUDA runtime %s, driver for CUDA %s, NCCL %s, %d GPU(s), Java %s"
                .formatted(
                        versions.runtime(),
                        versions.driver(),
                        versions.nccl(),
                        CudaDevices.count(),
                        System.getProperty("java.version"));
    }

    private String nvml() throws InterruptedException {
        GpuHealthChecks.Status status = GpuHealthChecks.status(device);
        String action = status.recoveryAction().isPresent()
                ? Integer.toString(status.recoveryAction().getAsInt())
                : "unknown";
        return "%s, driver %s, recovery action %s, %d of %d NVLinks up"
                .formatted(status.device(), status.driverVersion(), action, status.linksUp(), status.links());
    }

    /** Also loads the libraries, for which a busy machine takes longer than {@link #SPIN_LIMIT}. */
    private void findHealthy() throws Exception {
        GpuHealthChecks.cuda(device, FIRST_LIMIT).check(ALONE);
    }

    private String illegal() throws Exception {
        findHealthy();
        HealthCheck check = GpuHealthChecks.cuda(device, SPIN_LIMIT);
        CudaModule.load(device, Kernels.ptx()).launch("poke", 1, CudaStream.create(device));
        try {
            check.check(ALONE);
        } catch (GpuCallException e) {
            return String.valueOf(e.getMessage());
        }
        throw new IllegalStateException("the health check detected nothing");
    }

    private String spin() throws Exception {
        findHealthy();
        HealthCheck check = GpuHealthChecks.cuda(device, SPIN_LIMIT);
        CudaModule.load(device, Kernels.ptx()).launch("spin", 1, CudaStream.create(device));
        long start = System.nanoTime();
        try {
            check.check(ALONE);
        } catch (GpuException e) {
            Duration took = Duration.ofNanos(System.nanoTime() - start);
            if (took.compareTo(SPIN_LIMIT) < 0) {
                throw e; // another failure than the limit
            }
            return "detected after " + took.toMillis() + " ms";
        }
        throw new IllegalStateException("the health check detected nothing");
    }
}
