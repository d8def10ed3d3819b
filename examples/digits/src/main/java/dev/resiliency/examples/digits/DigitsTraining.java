package dev.resiliency.examples.digits;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.CallWrapper.AtomicSection;
import dev.resiliency.inprocess.CallWrapper.HangProtectionPause;
import dev.resiliency.inprocess.RestartableFunction;
import dev.resiliency.state.DataOrder;
import dev.resiliency.state.LiveState;
import java.io.IOException;
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
    private record Model(LiveState state, Perceptron network, Momentum momentum) {
        static Model of(CallWrapper call, TrainingPlan plan) {
            LiveState state = LiveState.of(call);
            int count = Perceptron.parameterCount(plan.hiddenUnits());
            float[] parameters = state.floats("parameters", count).array();
            float[] velocity = state.floats("velocity", count).array();
            return new Model(
                    state,
                    new Perceptron(plan.hiddenUnits(), parameters),
                    new Momentum(plan.learningRate(), plan.momentum(), velocity));
        }

        float[] parameters() {
            return network.parameters();
        }

        float[] velocity() {
            return momentum.velocity();
        }
    }

    @Override
    @SuppressWarnings("try") // the pause is only closed
    public Double call(CallWrapper call) throws Exception {
        observer.entered(call.state());
        Model model = Model.of(call, plan);
        int recovered = Math.toIntExact(model.state().recover(() -> readCheckpoint(model)));
        observer.recovered(model.state().recovery());

        try (Ring ring = new Ring(call.state().activeRank(), call.state().activeWorldSize())) {
            call.onAbort(ring::close); // before connecting, which can block as well
            try (HangProtectionPause wait = call.waitsForPeers()) {
                ring.connect(call.store());
                ring.allReduce(new float[1]); // returns once all are connected
            }
            if (isSaver(call) && plan.savesAfter(recovered)) {
                save(call, recovered, model); // the rank that was to save it may be lost
            }
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
        int rank = call.state().activeRank();
        int worldSize = call.state().activeWorldSize();
        DataOrder order = DataOrder.of(plan.seed(), digits.training().size(), plan.batchSize());
        int lossAt = model.parameters().length;
        float[] sums = new float[lossAt + 1]; // the gradient, followed by the loss

        for (int next = recovered + 1; next <= plan.steps(); next++) {
            int step = next;
            call.ping();
            observer.stepStarts(call, step);

            Arrays.fill(sums, 0);
            for (long sample : order.share(step, rank, worldSize)) {
                int index = (int) sample;
                sums[lossAt] += model.network()
                        .addGradient(
                                digits.training().pixels(index),
                                digits.training().label(index),
                                sums);
            }
            ring.allReduce(sums);
            model.state().commit(step, () -> {
                model.momentum().update(model.parameters(), sums, plan.batchSize());
                observer.completed(step);
            });

            if (isSaver(call) && plan.savesAfter(step)) {
                save(call, step, model);
            }
            if (plan.measuresAfter(step)) {
                observer.measured(
                        step, sums[lossAt] / plan.batchSize(), model.network().accuracy(digits.heldOut()));
            }
        }
    }

    private static boolean isSaver(CallWrapper call) {
        return call.state().activeRank() == 0;
    }

    /** Does not wait for the store to confirm the rank: the training goes on while the store is out of reach. */
    @SuppressWarnings("try") // the section is only closed
    private void save(CallWrapper call, int step, Model model) throws IOException {
        try (AtomicSection section = call.atomic()) {
            checkpoint.save(step, model.parameters(), model.velocity());
            observer.saved(step);
        }
    }
}
