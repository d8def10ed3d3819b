package dev.resiliency.examples.bench.restart;

import dev.resiliency.examples.digits.MeasurableTraining;
import dev.resiliency.inprocess.CallWrapper;

/** A training loop without training, whose ranks do not communicate: what remains is the time of the wrapper. */
final class NoTraining implements MeasurableTraining {
    static final String NAME = "none";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public void load() {
        // there is nothing to load
    }

    @Override
    public Iteration begin(CallWrapper call) {
        return new Iteration() {
            @Override
            public boolean step(int step, boolean wantsEnd) {
                return wantsEnd;
            }

            @Override
            public void close() {
                // nothing is open
            }
        };
    }
}
