package dev.resiliency.examples.pytorch;

import dev.resiliency.pytorch.TensorGroup;
import org.bytedeco.pytorch.BoolVector;
import org.bytedeco.pytorch.Reducer;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.SizeTStringMap;
import org.bytedeco.pytorch.SizeTVector;
import org.bytedeco.pytorch.SizeTVectorVector;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.TensorVector;
import org.bytedeco.pytorch.global.torch;

/** Computes the gradient of the whole batch, of which each rank has a part. */
interface Gradients {
    /**
     * Leaves the gradient of the mean loss over the batch in the parameters, the same on all ranks.
     *
     * @param part of this rank
     * @param batchSize over all ranks
     * @return this rank's part of the mean loss
     */
    Tensor sum(Pictures part, int batchSize) throws InterruptedException;

    /** Returns one of the two ways. */
    static Gradients of(Model model, TensorGroup group, boolean withReducer) {
        return withReducer ? whileBackwardRuns(model, group) : afterBackward(model, group);
    }

    private static Tensor loss(Model model, Pictures part, int batchSize) {
        double share = (double) part.labels().numel() / batchSize;
        return torch.cross_entropy(model.net().forward(part.pixels()), part.labels())
                .mul(new Scalar(share));
    }

    /** Sums all gradients in one operation. */
    private static Gradients afterBackward(Model model, TensorGroup group) {
        return (part, batchSize) -> {
            model.clearGradients();
            Tensor loss = loss(model, part, batchSize);
            loss.backward();
            TensorVector flat = new TensorVector();
            for (Tensor tensor : model.tensors().get()) {
                flat.push_back(tensor.grad().reshape(-1));
            }
            Tensor all = torch.cat(flat);
            group.allReduce(all);
            long from = 0;
            for (Tensor tensor : model.tensors().get()) {
                tensor.grad().copy_(all.narrow(0, from, tensor.numel()).view_as(tensor));
                from += tensor.numel();
            }
            return loss.detach();
        };
    }

    /** Sums each layer's gradients while those of the layer before are computed, as DistributedDataParallel does. */
    private static Gradients whileBackwardRuns(Model model, TensorGroup group) {
        SizeTVectorVector buckets = new SizeTVectorVector();
        BoolVector sparse = new BoolVector();
        for (long i = model.tensors().size() - 2; i >= 0; i -= 2) { // weights and biases, the last layer first
            buckets.push_back(new SizeTVector(i + 1, i));
            sparse.push_back(false).push_back(false);
        }
        Reducer reducer = new Reducer(
                model.tensors(),
                buckets,
                group.processGroup(),
                sparse,
                25 << 20,
                false,
                false,
                new SizeTStringMap(),
                1 << 20,
                false,
                false);
        return (part, batchSize) -> {
            model.clearGradients();
            reducer.prepare_for_forward();
            Tensor loss = loss(model, part, batchSize);
            reducer.prepare_for_backward(new TensorVector(loss));
            Tensor scaled = loss.mul(new Scalar(group.size())); // the reducer divides by the number of ranks
            group.run(scaled::backward);
            return loss.detach();
        };
    }
}
