package dev.resiliency.examples.pytorch;

import dev.resiliency.examples.digits.AgreedCheckpoint;
import dev.resiliency.examples.digits.CheckpointFile;
import dev.resiliency.examples.digits.Digits;
import dev.resiliency.examples.digits.TrainingObserver;
import dev.resiliency.examples.digits.TrainingPlan;
import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.CallWrapper.AtomicSection;
import dev.resiliency.inprocess.CallWrapper.HangProtectionPause;
import dev.resiliency.inprocess.RestartableFunction;
import dev.resiliency.pytorch.ProcessGroups;
import dev.resiliency.pytorch.TensorGroup;
import dev.resiliency.state.DataOrder;
import dev.resiliency.state.RecoveryReport;
import dev.resiliency.store.IndexSet;
import java.io.IOException;
import java.time.Duration;
import org.bytedeco.javacpp.PointerScope;
import org.bytedeco.pytorch.NoGradGuard;
import org.bytedeco.pytorch.Tensor;

/**
 * Trains a convolutional network on the digits, on all active ranks together: the function to wrap. It returns the accuracy on
 * the held-out digits.
 *
 * <p>It is restartable as any training is: each call builds everything anew from {@link CallWrapper#state} and the
 * checkpoint. What is particular to PyTorch is the group, which a restart aborts by itself, and that all native objects are
 * closed, the group last.
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

    @Override
    @SuppressWarnings("try") // the scope and the pause are only closed
    public Double call(CallWrapper call) throws Exception {
        observer.entered(call.state());
        try (TensorGroup group = ProcessGroups.gloo(call);
                PointerScope scope = new PointerScope()) { // frees the model before the group
            Model model = Model.create(plan);
            float[] parameters = model.parameters();
            float[] velocity = model.velocity();
            int restored;
            long start = System.nanoTime();
            try (HangProtectionPause pause = call.disableHangProtection()) { // the store may be away
                restored = AgreedCheckpoint.restore(call, checkpoint, parameters, velocity);
            }
            model.restore(parameters, velocity);
            observer.recovered(read(restored, Duration.ofNanos(System.nanoTime() - start)));
            train(call, group, model, Gradients.of(model, group, withReducer), restored);
            return accuracy(model, Pictures.of(digits.heldOut()));
        }
    }

    /** Says that all ranks have read the checkpoint of a step; how many steps that costs is known to who watches them. */
    private static RecoveryReport read(int step, Duration duration) {
        return new RecoveryReport(step, RecoveryReport.Source.CHECKPOINT, IndexSet.empty(), duration, 0, 0);
    }

    @SuppressWarnings("try") // the scope is only closed
    private void train(CallWrapper call, TensorGroup group, Model model, Gradients gradients, int restored)
            throws Exception {
        DataOrder order = DataOrder.of(plan.seed(), digits.training().size(), plan.batchSize());
        Pictures heldOut = Pictures.of(digits.heldOut());

        for (int step = restored + 1; step <= plan.steps(); step++) {
            call.ping();
            observer.stepStarts(call, step);

            try (PointerScope scope = new PointerScope()) { // frees the tensors of this step
                Pictures part = Pictures.of(digits.training(), order.share(step, group.rank(), group.size()));
                Tensor loss = gradients.sum(part, plan.batchSize());
                model.update(plan.learningRate(), plan.momentum());
                observer.completed(step);
                if (plan.measuresAfter(step)) {
                    group.allReduce(loss);
                    observer.measured(step, loss.item_double(), accuracy(model, heldOut));
                }
            }
            if (group.rank() == 0 && plan.savesAfter(step)) {
                save(call, step, model);
            }
        }
    }

    @SuppressWarnings("try") // the section is only closed
    private void save(CallWrapper call, int step, Model model) throws IOException {
        float[] parameters = model.parameters();
        float[] velocity = model.velocity();
        try (AtomicSection section = call.atomic()) {
            checkpoint.save(step, parameters, velocity);
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
