package dev.resiliency.examples.gpu;

import dev.resiliency.examples.digits.CheckpointFile;
import dev.resiliency.examples.digits.Digits;
import dev.resiliency.examples.digits.DigitsTraining;
import dev.resiliency.examples.digits.Perceptron;
import dev.resiliency.examples.digits.TrainingPlan;
import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.CallWrapper.AtomicSection;
import dev.resiliency.inprocess.RestartAbort;
import dev.resiliency.inprocess.RestartableFunction;
import dev.resiliency.nccl.CudaModule;
import dev.resiliency.nccl.CudaStream;
import dev.resiliency.nccl.DataType;
import dev.resiliency.nccl.DeviceBuffer;
import dev.resiliency.nccl.NcclCommunicator;
import dev.resiliency.nccl.NcclCommunicator.Reduction;
import dev.resiliency.state.DataOrder;
import dev.resiliency.store.Store;
import dev.resiliency.store.Value;
import java.io.IOException;
import java.util.Arrays;

/**
 * The training of {@link DigitsTraining} with its model in the memory of a GPU: parameters, velocity and gradient. NCCL
 * sums the gradients, and a kernel updates the parameters. The host computes the gradient of each batch, from a copy
 * of the parameters.
 *
 * <p>It is restartable for the same reasons; the wrapper's abort hook aborts the communicator.
 */
public final class GpuDigitsTraining implements RestartableFunction<Double> {
    private final TrainingPlan plan;
    private final Digits.Split digits;
    private final CheckpointFile checkpoint;
    private final int device;
    private final String kernels;
    private final Observer observer;

    /** Receives the progress of the training, and may break it. */
    public interface Observer {
        /** Called when the function has restored the state after this step. */
        void restored(CallWrapper call, int step);

        /** Called at the beginning of a step; the kernels are those of {@code kernels.cu}. */
        void stepStarts(CallWrapper call, int step, CudaModule kernels, CudaStream stream) throws Exception;

        /** Called after a step with its loss and accuracy. */
        void measured(int step, double loss, double accuracy);
    }

    /**
     * Creates a training whose checkpoint is in a directory that all ranks share.
     *
     * @param device the GPU of this rank
     * @param kernels the text of {@code kernels.ptx}
     */
    public GpuDigitsTraining(
            TrainingPlan plan,
            Digits.Split digits,
            CheckpointFile checkpoint,
            int device,
            String kernels,
            Observer observer) {
        this.plan = plan;
        this.digits = digits;
        this.checkpoint = checkpoint;
        this.device = device;
        this.kernels = kernels;
        this.observer = observer;
    }

    @Override
    public Double call(CallWrapper call) throws Exception {
        Perceptron model = new Perceptron(plan.hiddenUnits(), plan.seed());
        float[] velocity = new float[model.parameters().length];
        int restored = restore(call, model.parameters(), velocity);
        observer.restored(call, restored);

        int count = model.parameters().length;
        try (NcclCommunicator world = NcclCommunicator.bootstrap(call, device);
                CudaStream stream = CudaStream.create(device);
                CudaModule module = CudaModule.load(device, kernels);
                DeviceBuffer parameters = DeviceBuffer.allocate(device, DataType.FLOAT32, count);
                DeviceBuffer velocities = DeviceBuffer.allocate(device, DataType.FLOAT32, count);
                DeviceBuffer sums = DeviceBuffer.allocate(device, DataType.FLOAT32, count + 1)) {
            parameters.write(model.parameters(), stream);
            velocities.write(velocity, stream);
            train(new Rank(call, world, stream, module, parameters, velocities, sums), model, velocity, restored);
            world.finish();
        }
        return model.accuracy(digits.heldOut());
    }

    /**
     * Restores the checkpoint and returns its step, 0 if there is none. Ends the job if it is corrupt, or if another rank has restored
     * another step.
     */
    private int restore(CallWrapper call, float[] parameters, float[] velocity)
            throws IOException, InterruptedException {
        int step = checkpoint.restore(parameters, velocity);
        Store store = call.store();
        if (call.state().activeRank() == 0) {
            store.set("restored", Value.of(step));
        }
        long agreed = store.get("restored").number();
        if (step != agreed) {
            throw new RestartAbort("rank " + call.state().activeRank() + " has restored step " + step
                    + ", but rank 0 step " + agreed + ": the checkpoint must be in a directory that all ranks share");
        }
        return step;
    }

    /** The resources of a rank; {@code sums} is the gradient, followed by the loss. */
    private record Rank(
            CallWrapper call,
            NcclCommunicator world,
            CudaStream stream,
            CudaModule module,
            DeviceBuffer parameters,
            DeviceBuffer velocities,
            DeviceBuffer sums) {}

    private void train(Rank rank, Perceptron model, float[] velocity, int restored) throws Exception {
        int worldSize = rank.world().worldSize();
        DataOrder order = DataOrder.of(plan.seed(), digits.training().size(), plan.batchSize());
        int lossAt = model.parameters().length;
        float[] sums = new float[lossAt + 1];

        for (int step = restored + 1; step <= plan.steps(); step++) {
            rank.call().ping();
            observer.stepStarts(rank.call(), step, rank.module(), rank.stream());

            Arrays.fill(sums, 0);
            long[] share = order.share(step, rank.world().rank(), worldSize);
            sums[lossAt] = model.addGradient(digits.training(), share, sums);
            reduceAndUpdate(rank, sums, lossAt);
            rank.parameters().read(model.parameters(), rank.stream());

            if (rank.world().rank() == 0 && plan.savesAfter(step)) {
                rank.velocities().read(velocity, rank.stream());
                save(rank.call(), step, model, velocity);
            }
            if (plan.measuresAfter(step)) {
                rank.sums().read(sums, rank.stream());
                observer.measured(step, sums[lossAt] / plan.batchSize(), model.accuracy(digits.heldOut()));
            }
        }
    }

    private void reduceAndUpdate(Rank rank, float[] sums, int count) throws InterruptedException {
        rank.sums().write(sums, rank.stream());
        rank.world().allReduce(rank.sums(), rank.sums(), Reduction.SUM, rank.stream());
        rank.module()
                .launch(
                        "momentum",
                        count,
                        rank.stream(),
                        rank.parameters(),
                        rank.velocities(),
                        rank.sums(),
                        plan.learningRate() / plan.batchSize(),
                        plan.momentum(),
                        count);
        rank.world().synchronize(rank.stream()); // throws if the sums are incomplete
    }

    private void save(CallWrapper call, int step, Perceptron model, float[] velocity) throws IOException {
        try (AtomicSection section = call.atomic()) {
            checkpoint.save(section, step, model.parameters(), velocity);
        }
    }
}
