package dev.resiliency.examples.gpu;

import dev.resiliency.examples.job.Program;
import dev.resiliency.inprocess.Abort;
import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.HealthCheck;
import dev.resiliency.inprocess.RestartListener;
import dev.resiliency.inprocess.RestartReport;
import dev.resiliency.inprocess.RestartableFunction;
import dev.resiliency.inprocess.State;
import dev.resiliency.inprocess.Wrapper;
import dev.resiliency.nccl.AbortNccl;
import dev.resiliency.nccl.CudaDevices;
import dev.resiliency.nccl.CudaModule;
import dev.resiliency.nccl.CudaStream;
import dev.resiliency.nccl.GpuCallException;
import dev.resiliency.nccl.GpuException;
import dev.resiliency.nccl.GpuHealthChecks;
import dev.resiliency.nccl.NcclAbortedException;
import dev.resiliency.nccl.NcclCommunicator;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code gpu-check-part}: one process of one check. Its last line of output is the detail in the table. */
@Command(name = "gpu-check-part")
public final class GpuCheckPartCommand implements Callable<Integer>, RestartListener {
    private static final State ALONE = new State(0, 1, 0, 1, State.Mode.ACTIVE, 0, 1, 0);
    private static final Duration FIRST_LIMIT = Duration.ofSeconds(30);
    private static final Duration SPIN_LIMIT = Duration.ofSeconds(2);
    private static final int RESTARTS = 50;
    /** Iterations during which pools of NCCL and CUDA may still grow. */
    private static final int WARM_UP = 5;
    /** Growth beyond this is a leak. */
    private static final long MEMORY_TOLERANCE = 32L << 20;

    @Option(names = "--part", required = true)
    private CheckPart part = CheckPart.LIBRARIES;

    private final int device = Environment.fromVariables().localRank();
    private final List<Long> restartNanos = new ArrayList<>(); // written by the monitor thread, read after the call
    private final List<Long> usedMemory = new ArrayList<>(); // confined to the function
    /** When the abort of the last restart began. Written by the abort hook, read by the function. */
    private volatile long abortStart;

    /** Runs this program. */
    public static void main(String[] arguments) {
        Program.run(new GpuCheckPartCommand(), arguments);
    }

    @Override
    @SuppressWarnings("SystemOut") // read by the parent
    public Integer call() throws Exception {
        String detail = switch (part) {
            case LIBRARIES -> libraries();
            case NVML -> nvml();
            case SUM -> job(this::sum);
            case KILL -> job(this::kill);
            case RESTARTS -> job(this::restarts);
            case ILLEGAL -> illegal();
            case SPIN -> spin();
        };
        System.out.println(detail);
        System.out.flush();
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

    private String job(RestartableFunction<String> function) throws InterruptedException {
        String result = Wrapper.builder()
                .abort(Abort.compose(AbortNccl.create(), state -> abortStart = System.nanoTime()))
                .listener(this)
                .build()
                .call(function);
        return String.valueOf(result);
    }

    @Override
    public void restarted(RestartReport report) {
        restartNanos.add(report.total().toNanos());
    }

    private String sum(CallWrapper call) throws InterruptedException {
        try (NcclCommunicator world = NcclCommunicator.bootstrap(call, device);
                CudaStream stream = CudaStream.create(device)) {
            Collective.sumRight(world, stream);
            world.finish();
            return "sums of " + world.worldSize() + " ranks are correct";
        }
    }

    /** Rank 1 dies after the first sum; rank 0 waits for it in the second one. */
    private String kill(CallWrapper call) throws InterruptedException, IOException {
        try (NcclCommunicator world = NcclCommunicator.bootstrap(call, device);
                CudaStream stream = CudaStream.create(device)) {
            Collective.sumRight(world, stream);
            if (call.iteration() > 0) {
                world.finish();
                return "returned %.1f ms after the abort began; restart %.1f ms; the sum after it is correct"
                        .formatted(returned / 1e6, restartNanos.get(0) / 1e6);
            }
            if (world.rank() == 1) {
                new ProcessBuilder(
                                "kill",
                                "-KILL",
                                Long.toString(ProcessHandle.current().pid()))
                        .start();
                new CountDownLatch(1).await();
            }
            return hangUntilAborted(world, stream);
        }
    }

    /** Nanoseconds from the beginning of an abort until the blocked call returned. Confined to the function. */
    private long returned;

    private String hangUntilAborted(NcclCommunicator world, CudaStream stream) throws InterruptedException {
        try {
            Collective.hang(world, stream);
        } catch (NcclAbortedException e) {
            returned = System.nanoTime() - abortStart;
            throw e;
        }
        throw new IllegalStateException("the sum completed without its peer");
    }

    /** Rank 1 throws in each iteration while rank 0 waits for it in a sum. */
    private String restarts(CallWrapper call) throws InterruptedException {
        try (NcclCommunicator world = NcclCommunicator.bootstrap(call, device);
                CudaStream stream = CudaStream.create(device)) {
            Collective.sumRight(world, stream);
            usedMemory.add(CudaDevices.usedMemory(device));
            if (call.iteration() < RESTARTS) {
                call.safePoint(
                        call.iteration()); // a function that fails and comes no further is restarted ever more rarely
                if (world.rank() == 1) {
                    throw new IllegalStateException("injected");
                }
                return hangUntilAborted(world, stream);
            }
            world.finish();
        }
        return memoryReport();
    }

    private String memoryReport() {
        long before = usedMemory.get(WARM_UP);
        long after = usedMemory.get(RESTARTS);
        if (after - before > MEMORY_TOLERANCE) {
            throw new IllegalStateException("the device memory grew from %d MiB after restart %d to %d MiB"
                    .formatted(before >> 20, WARM_UP, after >> 20));
        }
        List<Long> sorted = restartNanos.stream().sorted().toList();
        return "%d MiB after restart %d, %d MiB after restart %d; median restart %.1f ms"
                .formatted(before >> 20, WARM_UP, after >> 20, RESTARTS, sorted.get(sorted.size() / 2) / 1e6);
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
