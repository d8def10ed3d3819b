package dev.resiliency.examples.gpu;

import dev.resiliency.examples.digits.CheckpointFile;
import dev.resiliency.examples.digits.Digits;
import dev.resiliency.examples.digits.GpuDigitsTraining;
import dev.resiliency.examples.digits.TrainingPlan;
import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.Wrapper;
import dev.resiliency.inprocess.hook.HealthCheck;
import dev.resiliency.nccl.AbortNccl;
import dev.resiliency.nccl.CudaModule;
import dev.resiliency.nccl.CudaStream;
import dev.resiliency.nccl.GpuMemoryReclaim;
import dev.resiliency.nccl.health.CudaHealthCheck;
import dev.resiliency.nccl.health.GpuRecoveryHealthCheck;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code gpu-rank}: the process of one rank, as {@link GpuCommand} starts it. Prints what happens, a line each. */
@Command(name = "gpu-rank", hidden = true)
public final class GpuRankCommand implements Callable<Integer>, GpuDigitsTraining.Observer {
    /** Longer than any step, shorter than anybody's patience. */
    private static final Duration SOFT_TIMEOUT = Duration.ofSeconds(10);

    private static final Duration HARD_TIMEOUT = Duration.ofSeconds(25);
    private static final Duration SYNCHRONIZE_LIMIT = Duration.ofSeconds(5);

    @Option(names = "--steps", required = true)
    private int steps;

    @Option(names = "--directory", required = true)
    private Path directory = Path.of("");

    @Option(names = "--fault", converter = GpuFault.Converter.class)
    private List<GpuFault> faults = List.of();

    /** Those of this rank that have not happened yet. */
    private final List<GpuFault> due = new ArrayList<>();

    @Override
    public Integer call() throws IOException, InterruptedException {
        Environment environment = Environment.fromVariables();
        int device = environment.localRank();
        faults.stream().filter(fault -> fault.rank() == environment.rank()).forEach(due::add);
        Wrapper wrapper = Wrapper.builder()
                .softTimeout(SOFT_TIMEOUT)
                .hardTimeout(HARD_TIMEOUT)
                .abort(AbortNccl.create())
                .finalize(GpuMemoryReclaim.ofDevice(device))
                .healthCheck(HealthCheck.compose(
                        GpuRecoveryHealthCheck.ofDevice(device), CudaHealthCheck.of(device, SYNCHRONIZE_LIMIT)))
                .build();
        GpuDigitsTraining training = new GpuDigitsTraining(
                TrainingPlan.ofSteps(steps),
                Digits.load(),
                new CheckpointFile(directory.resolve("checkpoint")),
                device,
                Kernels.ptx(),
                this);
        try {
            say("finished with accuracy " + wrapper.call(training));
            return 0;
        } catch (RuntimeException | Error e) {
            say("left: " + e + (e.getCause() == null ? "" : " because of " + e.getCause()));
            return 1;
        }
    }

    @SuppressWarnings("SystemOut") // the parent reads it
    private static void say(String what) {
        System.out.println(what);
        System.out.flush();
    }

    @Override
    public void restored(CallWrapper call, int step) {
        say("iteration %d: rank %d of %d goes on after step %d"
                .formatted(
                        call.iteration(),
                        call.state().activeRank(),
                        call.state().activeWorldSize(),
                        step));
    }

    @Override
    public void stepStarts(int step, CudaModule kernels, CudaStream stream) throws IOException, InterruptedException {
        GpuFault fault =
                due.stream().filter(each -> each.step() == step).findFirst().orElse(null);
        if (fault == null) {
            return;
        }
        due.remove(fault);
        say("fault " + fault);
        switch (fault.kind()) {
            case EXCEPTION -> throw new IllegalStateException("injected at step " + step);
            case KILL -> killThisProcess();
            case GPU_ERROR -> kernels.launch("poke", 1, stream);
            case GPU_HANG -> kernels.launch("spin", 1, stream);
        }
        stream.synchronize();
    }

    private static void killThisProcess() throws IOException, InterruptedException {
        new ProcessBuilder(
                        "kill", "-KILL", Long.toString(ProcessHandle.current().pid()))
                .start()
                .waitFor();
        new CountDownLatch(1).await();
    }

    @Override
    public void measured(int step, double loss, double accuracy) {
        if (step % 200 == 0) {
            say("step %d: loss %.4f, accuracy %.1f %%".formatted(step, loss, 100 * accuracy));
        }
    }
}
