package dev.resiliency.examples.digits;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.CallWrapper.AtomicSection;
import dev.resiliency.inprocess.RestartableFunction;
import dev.resiliency.state.DataOrder;
import dev.resiliency.state.LiveState;
import java.io.IOException;
import java.nio.FloatBuffer;
import java.util.Arrays;

/**
 * Trains a network on the digits, on all active ranks together: the function to wrap. It returns the accuracy on the
 * held-out digits.
 *
 * <p>What makes it restartable: each call builds everything anew from {@link CallWrapper#state} and the {@link
 * LiveState}; what can block is registered with {@link CallWrapper#onAbort}; the state changes in {@link
 * LiveState#commit} alone. The checkpoint, written in an atomic section, is read only if no rank holds the state.
 */
public final class DigitsTraining implements RestartableFunction<Double> {
    private final TrainingPlan plan;
    private final Digits.Split digits;
    private final CheckpointFile checkpoint;
    private final TrainingObserver observer;

    /** Creates a training whose checkpoint is in a directory that all ranks share. */
    public DigitsTraining(
            TrainingPlan plan, Digits.Split digits, CheckpointFile checkpoint, TrainingObserver observer) {
        this.plan = plan;
        this.digits = digits;
        this.checkpoint = checkpoint;
        this.observer = observer;
    }

    /** One call's view of what is trained, all of which is in the arrays of the state. */
    private record Model(LiveState state, Perceptron network, FloatBuffer movement) {
        static Model of(CallWrapper call, TrainingPlan plan) {
            LiveState state = LiveState.of(call);
            int count = Perceptron.parameterCount(plan.hiddenUnits());
            float[] parameters = state.floats("parameters", count).array();
            return new Model(state, new Perceptron(plan.hiddenUnits(), parameters), state.floats("velocity", count));
        }

        float[] parameters() {
            return network.parameters();
        }

        float[] velocity() {
            return movement.array();
        }
    }

    @Override
    public Double call(CallWrapper call) throws Exception {
        observer.entered(call.state());
        Model model = Model.of(call, plan);
        int recovered = Math.toIntExact(model.state().recover(() -> readCheckpoint(model)));
        observer.recovered(model.state().recovery());
        try (Ring ring = Ring.of(call)) {
            saveIfDue(call, recovered, model); // the rank that was to save it may be lost
            train(call, ring, model, recovered);
        }
        return model.network().accuracy(digits.heldOut());
    }

    private long readCheckpoint(Model model) throws IOException {
        model.network().initialize(plan.seed());
        Arrays.fill(model.velocity(), 0);
        return checkpoint.restore(model.parameters(), model.velocity());
    }

    private void train(CallWrapper call, Ring ring, Model model, int recovered) throws Exception {
        DataOrder order = DataOrder.of(plan.seed(), digits.training().size(), plan.batchSize());
        int lossAt = model.parameters().length;
        float[] sums = new float[lossAt + 1]; // the gradient, followed by the loss

        for (int next = recovered + 1; next <= plan.steps(); next++) {
            int step = next;
            call.ping();
            observer.stepStarts(call, step);

            Arrays.fill(sums, 0);
            long[] share = order.share(step, ring.rank(), ring.worldSize());
            sums[lossAt] = model.network().addGradient(digits.training(), share, sums);
            ring.allReduce(sums);
            model.state().commit(step, () -> {
                plan.move(model.parameters(), model.velocity(), sums);
                observer.completed(step);
            });
            saveIfDue(call, step, model);
            if (plan.measuresAfter(step)) {
                observer.measured(
                        step, sums[lossAt] / plan.batchSize(), model.network().accuracy(digits.heldOut()));
            }
        }
    }

    /** Does not wait for the store to confirm the rank: the training goes on while the store is out of reach. */
    @SuppressWarnings("try") // the section is only closed
    private void saveIfDue(CallWrapper call, int step, Model model) throws IOException {
        if (call.state().activeRank() == 0 && plan.savesAfter(step)) {
            try (AtomicSection section = call.atomic()) {
                checkpoint.save(step, model.parameters(), model.velocity());
                observer.saved(step);
            }
        }
    }
}
