package dev.resiliency.examples.gpu;

import dev.resiliency.examples.digits.CheckpointFile;
import dev.resiliency.examples.digits.Digits;
import dev.resiliency.examples.digits.TrainingPlan;
import dev.resiliency.examples.fault.PlannedFault;
import dev.resiliency.examples.fault.TrainingFault;
import dev.resiliency.examples.job.Program;
import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.Environment;
import dev.resiliency.inprocess.HealthCheck;
import dev.resiliency.inprocess.Wrapper;
import dev.resiliency.nccl.AbortNccl;
import dev.resiliency.nccl.CudaModule;
import dev.resiliency.nccl.CudaStream;
import dev.resiliency.nccl.GpuHealthChecks;
import dev.resiliency.nccl.GpuMemoryReclaim;
import dev.resiliency.testing.Fault;
import dev.resiliency.testing.FaultInjector;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code gpu-rank}: the process of one rank, started by {@link GpuCommand}. Prints each event as a line. */
@Command(name = "gpu-rank")
public final class GpuRankCommand implements Callable<Integer>, GpuDigitsTraining.Observer {
    /** Longer than any step. */
    private static final Duration SOFT_TIMEOUT = Duration.ofSeconds(5);

    private static final Duration HARD_TIMEOUT = Duration.ofSeconds(10);
    private static final Duration HEARTBEAT_TIMEOUT = Duration.ofSeconds(6);
    private static final Duration ASYNC_STOP_DELAY = Duration.ofSeconds(1);
    private static final Duration CHECK_INTERVAL = Duration.ofMillis(100);
    private static final Duration SYNCHRONIZE_LIMIT = Duration.ofSeconds(3);

    @Option(names = "--steps", required = true)
    private int steps;

    @Option(names = "--directory", required = true)
    private Path directory = Path.of("");

    @Option(names = "--fault", converter = GpuFaultConverter.class)
    private List<PlannedFault> faults = List.of();

    /** Faults of this rank's device that have not happened yet. */
    private final List<DeviceFault> due = new ArrayList<>();

    private FaultInjector ofAnyTraining = new FaultInjector(List.of());

    /** Runs this program. */
    public static void main(String[] arguments) {
        Program.run(new GpuRankCommand(), arguments);
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        Environment environment = Environment.fromVariables();
        int device = environment.localRank();
        planFaults(environment.rank());
        Wrapper wrapper = Wrapper.builder()
                .softTimeout(SOFT_TIMEOUT)
                .hardTimeout(HARD_TIMEOUT)
                .heartbeatTimeout(HEARTBEAT_TIMEOUT)
                .asyncStopDelay(ASYNC_STOP_DELAY)
                .progressWatchdogInterval(CHECK_INTERVAL)
                .monitorProcessInterval(CHECK_INTERVAL)
                .abort(AbortNccl.create())
                .finalize(GpuMemoryReclaim.ofDevice(device))
                .healthCheck(HealthCheck.compose(
                        GpuHealthChecks.gpuRecovery(device), GpuHealthChecks.cuda(device, SYNCHRONIZE_LIMIT)))
                .build();
        GpuDigitsTraining training = new GpuDigitsTraining(
                TrainingPlan.ofSteps(steps),
                Digits.load(),
                new CheckpointFile(directory.resolve("checkpoint")),
                device,
                Kernels.ptx(),
                this);
        try {
            Program.say(GpuVerdict.FINISHED + wrapper.call(training));
            return 0;
        } catch (RuntimeException | Error e) {
            Program.say("left: " + e + (e.getCause() == null ? "" : " because of " + e.getCause()));
            return 1;
        }
    }

    private void planFaults(int rank) {
        List<Fault> others = new ArrayList<>();
        for (PlannedFault fault : faults) {
            if (fault instanceof TrainingFault training) {
                others.add(training.fault());
            } else if (fault instanceof DeviceFault device && device.rank() == rank) {
                due.add(device);
            }
        }
        ofAnyTraining = new FaultInjector(others, GpuRankCommand::announce);
    }

    private static void announce(Object fault) {
        Program.say(GpuVerdict.FAULT + fault);
    }

    @Override
    public void restored(CallWrapper call, int step) {
        Program.say("iteration %d: rank %d of %d resumes after step %d"
                .formatted(
                        call.iteration(),
                        call.state().activeRank(),
                        call.state().activeWorldSize(),
                        step));
    }

    @Override
    public void stepStarts(CallWrapper call, int step, CudaModule kernels, CudaStream stream)
            throws IOException, InterruptedException {
        ofAnyTraining.stepStarts(call, step);
        for (DeviceFault fault : List.copyOf(due)) {
            if (fault.moment().step() == step) {
                due.remove(fault);
                announce(fault);
                kernels.launch(fault.kind().kernel(), 1, stream);
                stream.synchronize();
            }
        }
    }

    @Override
    public void measured(int step, double loss, double accuracy) {
        if (step % 200 == 0) {
            Program.say("step %d: loss %.4f, accuracy %.1f %%".formatted(step, loss, 100 * accuracy));
        }
    }
}
