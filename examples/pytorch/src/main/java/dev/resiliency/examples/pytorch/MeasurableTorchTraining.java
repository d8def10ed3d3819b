package dev.resiliency.examples.pytorch;

import dev.resiliency.examples.digits.Digits;
import dev.resiliency.examples.digits.MeasurableTraining;
import dev.resiliency.examples.digits.TrainingPlan;
import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.pytorch.ProcessGroups;
import dev.resiliency.pytorch.TensorGroup;
import dev.resiliency.pytorch.TorchLibrary;
import dev.resiliency.state.DataOrder;
import java.io.IOException;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.Scalar;
import org.bytedeco.pytorch.Tensor;
import org.bytedeco.pytorch.global.torch;

/** The training of the example, without state and checkpoints: a convolutional network, and a {@code Reducer} over Gloo. */
public final class MeasurableTorchTraining implements MeasurableTraining {
    private final TrainingPlan plan = TrainingPlan.ofSteps(Integer.MAX_VALUE);
    private final Digits digits;

    /** Reads the digits. */
    public MeasurableTorchTraining() throws IOException {
        digits = Digits.load().training();
    }

    @Override
    public String name() {
        return "pytorch";
    }

    @Override
    public void load() {
        TorchLibrary.load();
        torch.set_num_threads(1); // there are more ranks than cores
    }

    @Override
    public Iteration begin(CallWrapper call) throws InterruptedException {
        TensorGroup group = ProcessGroups.gloo(call);
        try {
            return new Steps(group);
        } catch (RuntimeException | Error e) {
            group.close();
            throw e;
        }
    }

    private final class Steps implements Iteration {
        private final DataOrder order = DataOrder.of(plan.seed(), digits.size(), plan.batchSize());
        private final TensorGroup group;
        private final PointerScope scope = new PointerScope(); // of the model
        private final Model model = Model.create(plan);
        private final Gradients gradients;

        Steps(TensorGroup group) {
            this.group = group;
            gradients = Gradients.of(model, group, true);
        }

        @Override
        @SuppressWarnings("try") // the scope is only closed
        public boolean step(int step, boolean wantsEnd) throws InterruptedException {
            try (PointerScope oneStep = new PointerScope()) {
                gradients.sum(Pictures.of(digits, order.share(step, group.rank(), group.size())), plan.batchSize());
                model.update(plan.learningRate(), plan.momentum());
                Tensor votes = torch.full(new long[] {1}, new Scalar(wantsEnd ? 1 : 0));
                group.allReduce(votes);
                return votes.item_double() > 0;
            }
        }

        /** Frees the model before the group. */
        @Override
        public void close() {
            scope.close();
            group.close();
        }
    }
}
