package dev.resiliency.examples.pytorch;

import dev.resiliency.examples.digits.CheckpointFile;
import dev.resiliency.examples.digits.Digits;
import dev.resiliency.examples.digits.TrainingObserver;
import dev.resiliency.examples.digits.TrainingPlan;
import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.CallWrapper.AtomicSection;
import dev.resiliency.inprocess.RestartableFunction;
import dev.resiliency.pytorch.ProcessGroups;
import dev.resiliency.pytorch.TensorGroup;
import dev.resiliency.state.DataOrder;
import dev.resiliency.state.LiveState;
import java.io.IOException;
import java.nio.FloatBuffer;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;

/**
 * Trains a convolutional network on the digits, on all active ranks together: the function to wrap. It returns the accuracy on
 * the held-out digits.
 *
 * <p>It is restartable as any training is: each call builds everything anew from {@link CallWrapper#state} and the {@link
 * LiveState}. What is particular to PyTorch is the group, which a restart aborts by itself; that all native objects are
 * closed, the group last; and that the state is a copy of what the native objects hold.
 */
final class TorchTraining implements RestartableFunction<Double> {
    private final TrainingPlan plan;
    private final Digits.Split digits;
    private final CheckpointFile checkpoint;
    private final TrainingObserver observer;
    private final boolean withReducer;

    /**
     * Creates a training.
     *
     * @param checkpoint in a directory that all ranks share
     * @param withReducer whether gradients are summed while {@code backward()} runs, or after it
     */
    TorchTraining(
            TrainingPlan plan,
            Digits.Split digits,
            CheckpointFile checkpoint,
            TrainingObserver observer,
            boolean withReducer) {
        this.plan = plan;
        this.digits = digits;
        this.checkpoint = checkpoint;
        this.observer = observer;
        this.withReducer = withReducer;
    }

    /** A copy of what is trained, in the memory that survives restarts. */
    private record Copy(LiveState state, FloatBuffer weights, FloatBuffer movement) {
        static Copy of(CallWrapper call, Model model) {
            LiveState state = LiveState.of(call);
            return new Copy(state, state.floats("parameters", model.size()), state.floats("velocity", model.size()));
        }

        float[] parameters() {
            return weights.array();
        }

        float[] velocity() {
            return movement.array();
        }
    }

    @Override
    @SuppressWarnings("try") // the scope is only closed
    public Double call(CallWrapper call) throws Exception {
        observer.entered(call.state());
        try (TensorGroup group = ProcessGroups.gloo(call);
                PointerScope scope = new PointerScope()) { // frees the model before the group
            Model model = Model.create(plan);
            Copy copy = Copy.of(call, model);
            int recovered = Math.toIntExact(copy.state().recover(() -> readCheckpoint(model, copy)));
            observer.recovered(copy.state().recovery());
            model.restore(copy.parameters(), copy.velocity());
            if (group.rank() == 0 && plan.savesAfter(recovered)) {
                save(call, recovered, copy); // the rank that was to save it may be lost
            }
            train(call, group, model, copy, recovered);
            return accuracy(model, Pictures.of(digits.heldOut()));
        }
    }

    /** Leaves the initial state, which that of the new model is, if there is no checkpoint. */
    private long readCheckpoint(Model model, Copy copy) throws IOException {
        model.copyTo(copy.parameters(), copy.velocity());
        return checkpoint.restore(copy.parameters(), copy.velocity());
    }

    @SuppressWarnings("try") // the scope is only closed
    private void train(CallWrapper call, TensorGroup group, Model model, Copy copy, int recovered) throws Exception {
        Gradients gradients = Gradients.of(model, group, withReducer);
        DataOrder order = DataOrder.of(plan.seed(), digits.training().size(), plan.batchSize());
        Pictures heldOut = Pictures.of(digits.heldOut());

        for (int next = recovered + 1; next <= plan.steps(); next++) {
            int step = next;
            call.ping();
            observer.stepStarts(call, step);

            try (PointerScope scope = new PointerScope()) { // frees the tensors of this step
                Pictures part = Pictures.of(digits.training(), order.share(step, group.rank(), group.size()));
                Tensor loss = gradients.sum(part, plan.batchSize());
                copy.state().commit(step, () -> {
                    model.update(plan.learningRate(), plan.momentum());
                    model.copyTo(copy.parameters(), copy.velocity());
                    observer.completed(step);
                });
                if (plan.measuresAfter(step)) {
                    group.allReduce(loss);
                    observer.measured(step, loss.item_double(), accuracy(model, heldOut));
                }
            }
            if (group.rank() == 0 && plan.savesAfter(step)) {
                save(call, step, copy);
            }
        }
    }

    private void save(CallWrapper call, int step, Copy copy) throws IOException {
        try (AtomicSection section = call.atomic()) {
            checkpoint.save(section, step, copy.parameters(), copy.velocity());
            observer.saved(step);
        }
    }

    @SuppressWarnings("try") // the guard is only closed
    private static double accuracy(Model model, Pictures pictures) {
        try (PointerScope scope = new PointerScope();
                NoGradGuard guard = new NoGradGuard()) {
            Tensor guesses =
                    model.net().forward(pictures.pixels()).argmax(new org.bytedeco.pytorch.LongOptional(1), false);
            return guesses.eq(pictures.labels()).sum().item_double()
                    / pictures.labels().numel();
        }
    }
}
