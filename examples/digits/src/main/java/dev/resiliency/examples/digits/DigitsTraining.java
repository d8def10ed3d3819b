package dev.resiliency.examples.digits;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.CallWrapper.AtomicSection;
import dev.resiliency.inprocess.CallWrapper.HangProtectionPause;
import dev.resiliency.inprocess.RestartableFunction;
import java.io.IOException;
import java.util.Arrays;

/**
 * Trains a network on the digits, on all active ranks together: the function to wrap. It returns the accuracy on the
 * held-out digits.
 *
 * <p>What makes it restartable: each call builds everything anew from {@link CallWrapper#state} and the checkpoint;
 * what can block is registered with {@link CallWrapper#onAbort}; the checkpoint is written in an atomic section.
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

    @Override
    @SuppressWarnings("try") // the pauses are only closed
    public Double call(CallWrapper call) throws Exception {
        observer.entered(call.state());
        Perceptron model = new Perceptron(plan.hiddenUnits(), plan.seed());
        Momentum momentum = new Momentum(plan.learningRate(), plan.momentum(), model.parameters().length);
        int restored;
        try (HangProtectionPause pause = call.disableHangProtection()) { // the network to the store may be away
            restored = AgreedCheckpoint.restore(call, checkpoint, model.parameters(), momentum.velocity());
        }
        observer.restored(restored);

        try (Ring ring = new Ring(call.state().activeRank(), call.state().activeWorldSize())) {
            call.onAbort(ring::close); // before connecting, which can block as well
            try (HangProtectionPause pause = call.disableHangProtection()) {
                ring.connect(call.store());
                ring.allReduce(new float[1]); // returns once all are connected
            }
            train(call, ring, model, momentum, restored);
        }
        return model.accuracy(digits.heldOut());
    }

    private void train(CallWrapper call, Ring ring, Perceptron model, Momentum momentum, int restored)
            throws Exception {
        int rank = call.state().activeRank();
        int worldSize = call.state().activeWorldSize();
        BatchSampler sampler = new BatchSampler(plan.seed(), digits.training().size(), plan.batchSize());
        int lossAt = model.parameters().length;
        float[] sums = new float[lossAt + 1]; // the gradient, followed by the loss

        for (int step = restored + 1; step <= plan.steps(); step++) {
            call.ping();
            observer.stepStarts(call, step);

            Arrays.fill(sums, 0);
            for (int index : sampler.draw(step, rank, worldSize)) {
                sums[lossAt] += model.addGradient(
                        digits.training().pixels(index), digits.training().label(index), sums);
            }
            ring.allReduce(sums);
            momentum.update(model.parameters(), sums, plan.batchSize());

            if (rank == 0 && plan.savesAfter(step)) {
                save(call, step, model, momentum);
            }
            if (plan.measuresAfter(step)) {
                observer.measured(step, sums[lossAt] / plan.batchSize(), model.accuracy(digits.heldOut()));
            }
        }
    }

    @SuppressWarnings("try") // the section is only closed
    private void save(CallWrapper call, int step, Perceptron model, Momentum momentum) throws IOException {
        try (AtomicSection section = call.atomic()) {
            checkpoint.save(step, model.parameters(), momentum.velocity());
            observer.saved(step);
        }
    }
}
