package dev.resiliency.pytorch;

import dev.resiliency.inprocess.RestartSignal;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import org.bytedeco.pytorch.Backend;
import org.bytedeco.pytorch.BroadcastOptions;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.Work;

/** The operations that the backends of PyTorch have in common. Confined to the thread of the function. */
abstract class BackendGroup implements TensorGroup {
    private final Backend backend;
    private final int rank;
    private final int size;

    BackendGroup(Backend backend, int rank, int size) {
        this.backend = backend;
        this.rank = rank;
        this.size = size;
    }

    /** Waits until the work is complete; throws what {@link TensorGroup} says. */
    abstract void await(Work work, String operation) throws InterruptedException;

    /**
     * Returns the exception for what PyTorch threw, or throws the restart's signal if that is the reason: another rank has
     * failed, and closed its connections, a moment before it can say so.
     */
    abstract ProcessGroupException failure(String operation, RuntimeException thrown) throws InterruptedException;

    @Override
    public final int rank() {
        return rank;
    }

    @Override
    public final int size() {
        return size;
    }

    @Override
    public final void allReduce(Tensor tensor) throws InterruptedException {
        try (TensorVector tensors = new TensorVector(tensor)) {
            run("allReduce", () -> backend.allreduce(tensors));
        }
    }

    @Override
    public final void broadcast(Tensor tensor, int root) throws InterruptedException {
        try (TensorVector tensors = new TensorVector(tensor);
                BroadcastOptions options = new BroadcastOptions().rootRank(root)) {
            run("broadcast", () -> backend.broadcast(tensors, options));
        }
    }

    @Override
    public final Tensor allGather(Tensor tensor) throws InterruptedException {
        long[] shape = LongStream.concat(
                        LongStream.of(size), Arrays.stream(tensor.sizes().vec().get()))
                .toArray();
        // PyTorch joins tensors along their first dimension, which a scalar lacks.
        try (Tensor own = tensor.reshape(-1);
                Tensor all = own.new_empty(size * own.numel())) {
            run("allGather", () -> backend._allgather_base(all, own));
            return all.view(shape);
        }
    }

    @Override
    public final void barrier() throws InterruptedException {
        run("barrier", backend::barrier);
    }

    @Override
    public final void run(Runnable action) throws InterruptedException {
        try {
            action.run();
        } catch (RestartSignal signal) {
            throw signal;
        } catch (RuntimeException e) {
            throw failure("run", e);
        }
    }

    private void run(String operation, Supplier<Work> start) throws InterruptedException {
        try (Work work = start.get()) {
            await(work, operation);
        } catch (RestartSignal signal) {
            throw signal;
        } catch (RuntimeException e) {
            throw failure(operation, e);
        }
    }
}
