package dev.resiliency.examples.digits;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.CallWrapper.HangProtectionPause;
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
    @SuppressWarnings("try") // the pause is only closed
    public Iteration begin(CallWrapper call) throws IOException, InterruptedException {
        Ring ring = new Ring(call.state().activeRank(), call.state().activeWorldSize());
        call.onAbort(ring::close);
        try (HangProtectionPause wait = call.waitsForPeers()) {
            ring.connect(call.store());
            ring.allReduce(new float[1]); // returns once all are connected
        } catch (IOException | InterruptedException | RuntimeException e) {
            ring.close();
            throw e;
        }
        return new Steps(ring, call.state().activeRank(), call.state().activeWorldSize());
    }

    private final class Steps implements Iteration {
        private final Perceptron network = new Perceptron(plan.hiddenUnits(), plan.seed());
        private final Momentum momentum =
                new Momentum(plan.learningRate(), plan.momentum(), new float[network.parameters().length]);
        private final DataOrder order = DataOrder.of(plan.seed(), digits.size(), plan.batchSize());
        private final float[] sums =
                new float[network.parameters().length + 1]; // the last one counts who wants the end
        private final Ring ring;
        private final int rank;
        private final int size;

        Steps(Ring ring, int rank, int size) {
            this.ring = ring;
            this.rank = rank;
            this.size = size;
        }

        @Override
        public boolean step(int step, boolean wantsEnd) throws IOException {
            Arrays.fill(sums, 0);
            for (long sample : order.share(step, rank, size)) {
                network.addGradient(digits.pixels((int) sample), digits.label((int) sample), sums);
            }
            sums[sums.length - 1] = wantsEnd ? 1 : 0;
            ring.allReduce(sums);
            momentum.update(network.parameters(), sums, plan.batchSize());
            return sums[sums.length - 1] > 0;
        }

        @Override
        public void close() throws IOException {
            ring.close();
        }
    }
}
