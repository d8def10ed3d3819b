package dev.resiliency.examples.pytorch;

import dev.resiliency.examples.digits.TrainingPlan;
import java.nio.FloatBuffer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/**
 * A network and its optimizer, momentum. Their state is two arrays of numbers, whatever the network.
 *
 * @param tensors the parameters of the network
 * @param movement the last movement of all parameters, one after the other
 */
record Model(ConvolutionalNet net, TensorVector tensors, Tensor movement) {

    /** Returns a model with the initial weights of this plan, which are the same on all ranks. */
    static Model create(TrainingPlan plan) {
        torch.manual_seed(plan.seed());
        ConvolutionalNet net = new ConvolutionalNet();
        TensorVector tensors = net.parameters();
        long count = 0;
        for (Tensor tensor : tensors.get()) {
            count += tensor.numel();
        }
        return new Model(net, tensors, torch.zeros(count));
    }

    /** Returns the number of parameters, and of numbers in the optimizer's state. */
    int size() {
        return (int) movement.numel();
    }

    /** Copies all parameters, one after the other, and the optimizer's state. */
    void copyTo(float[] parameters, float[] velocity) {
        int from = 0;
        for (Tensor tensor : tensors.get()) {
            FloatBuffer values = tensor.data().createBuffer();
            int count = values.remaining();
            values.get(parameters, from, count);
            from += count;
        }
        movement.<FloatBuffer>createBuffer().get(velocity);
    }

    /** Replaces parameters and the optimizer's state. */
    void restore(float[] parameters, float[] velocity) {
        int from = 0;
        for (Tensor tensor : tensors.get()) {
            FloatBuffer values = tensor.data().createBuffer();
            int count = values.remaining();
            values.put(parameters, from, count);
            from += count;
        }
        movement.<FloatBuffer>createBuffer().put(velocity);
    }

    /** Moves the parameters against their gradients. */
    @SuppressWarnings("try") // the guard is only closed
    void update(float learningRate, float momentum) {
        try (PointerScope scope = new PointerScope();
                NoGradGuard guard = new NoGradGuard()) {
            movement.mul_(new Scalar(momentum));
            long from = 0;
            for (Tensor tensor : tensors.get()) {
                Tensor own = movement.narrow(0, from, tensor.numel()).view_as(tensor);
                own.add_(tensor.grad());
                tensor.sub_(own, new Scalar(learningRate));
                from += tensor.numel();
            }
        }
    }

    /** Forgets the gradients of the last step. */
    void clearGradients() {
        for (Tensor tensor : tensors.get()) {
            tensor.mutable_grad().reset();
        }
    }
}
