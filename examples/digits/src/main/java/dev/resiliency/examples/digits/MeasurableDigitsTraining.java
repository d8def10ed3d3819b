package dev.resiliency.examples.digits;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.state.DataOrder;
import java.io.IOException;
import java.util.Arrays;

/** The training of the demo, without state and checkpoints: a perceptron, and a ring of sockets, written by hand. */
public final class MeasurableDigitsTraining implements MeasurableTraining {
    private final TrainingPlan plan = TrainingPlan.ofSteps(Integer.MAX_VALUE);
    private final Digits digits;

    /** Reads the digits. */
    public MeasurableDigitsTraining() throws IOException {
        digits = Digits.load().training();
    }

    @Override
    public String name() {
        return "digits";
    }

    @Override
    public Iteration begin(CallWrapper call) throws IOException, InterruptedException {
        return new Steps(Ring.of(call));
    }

    private final class Steps implements Iteration {
        private final Perceptron network = new Perceptron(plan.hiddenUnits(), plan.seed());
        private final float[] velocity = new float[network.parameters().length];
        private final DataOrder order = DataOrder.of(plan.seed(), digits.size(), plan.batchSize());
        private final float[] sums = new float[velocity.length + 1]; // the last one counts who wants the end
        private final Ring ring;

        Steps(Ring ring) {
            this.ring = ring;
        }

        @Override
        public boolean step(int step, boolean wantsEnd) throws IOException {
            Arrays.fill(sums, 0);
            network.addGradient(digits, order.share(step, ring.rank(), ring.worldSize()), sums);
            sums[velocity.length] = wantsEnd ? 1 : 0;
            ring.allReduce(sums);
            plan.move(network.parameters(), velocity, sums);
            return sums[velocity.length] > 0;
        }

        @Override
        public void close() throws IOException {
            ring.close();
        }
    }
}
