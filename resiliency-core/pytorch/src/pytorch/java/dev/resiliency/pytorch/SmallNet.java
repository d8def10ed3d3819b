package dev.resiliency.pytorch;

import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.BoolVector;
import org.bytedeco.pytorch.LinearImpl;
import org.bytedeco.pytorch.ProcessGroup;
import org.bytedeco.pytorch.Reducer;
import org.bytedeco.pytorch.SizeTStringMap;
import org.bytedeco.pytorch.SizeTVector;
import org.bytedeco.pytorch.SizeTVectorVector;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;
import org.jspecify.annotations.Nullable;

/** A layer whose gradient is the sum of its input over all ranks, with and without a {@code Reducer}. */
final class SmallNet implements AutoCloseable {
    private static final int INPUTS = 1000;
    private static final long BUCKET_BYTES = 1 << 20;

    private final LinearImpl layer = new LinearImpl(INPUTS, 10);
    private final TensorVector parameters = layer.parameters();
    private final @Nullable Reducer reducer;

    /** Creates a net; the group is null if gradients are summed after {@code backward()}. */
    SmallNet(@Nullable ProcessGroup group) {
        reducer = group == null
                ? null
                : new Reducer(
                        parameters,
                        new SizeTVectorVector(new SizeTVector(0, 1)),
                        group,
                        new BoolVector(false, false),
                        BUCKET_BYTES,
                        false,
                        false,
                        new SizeTStringMap(),
                        BUCKET_BYTES,
                        false,
                        false);
    }

    /** Computes the gradient and checks it. */
    @SuppressWarnings("try") // the scope frees the tensors
    void step(TensorGroup group) throws InterruptedException {
        try (PointerScope scope = new PointerScope()) {
            for (long i = 0; i < parameters.size(); i++) {
                parameters.get(i).mutable_grad().reset();
            }
            if (reducer != null) {
                reducer.prepare_for_forward();
            }
            Tensor loss = layer.forward(torch.ones(1, INPUTS)).sum();
            if (reducer != null) {
                reducer.prepare_for_backward(new TensorVector(loss));
            }
            group.run(loss::backward);
            Tensor gradient = parameters.get(0).grad();
            if (reducer == null) {
                group.allReduce(gradient);
                gradient.div_(new org.bytedeco.pytorch.Scalar(group.size()));
            }
            TrainingProgram.require(gradient.mean().item_double() == 1, "the mean gradient");
        }
    }

    @Override
    public void close() {
        if (reducer != null) {
            reducer.close();
        }
        parameters.close();
        layer.close();
    }
}
