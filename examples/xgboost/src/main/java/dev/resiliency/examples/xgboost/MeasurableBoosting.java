package dev.resiliency.examples.xgboost;

import dev.resiliency.examples.digits.Digits;
import dev.resiliency.examples.digits.MeasurableTraining;
import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.xgboost.LiveBooster;
import dev.resiliency.xgboost.XGBoostGroup;
import dev.resiliency.xgboost.XGBoostLibrary;
import java.io.IOException;
import ml.dmlc.xgboost4j.java.Communicator.OpType;
import ml.dmlc.xgboost4j.java.DMatrix;

/** The training of the example, without checkpoints: a step is a round of boosting, after which each rank keeps the model. */
public final class MeasurableBoosting implements MeasurableTraining {
    private final Digits digits;

    /** Reads the digits. */
    public MeasurableBoosting() throws IOException {
        digits = Digits.load().training();
    }

    @Override
    public String name() {
        return "xgboost";
    }

    @Override
    public void load() {
        XGBoostLibrary.load();
    }

    @Override
    public Iteration begin(CallWrapper call) throws InterruptedException {
        XGBoostGroup group = XGBoostGroup.connect(call);
        try {
            DMatrix train = group.matrix(() -> Matrices.part(digits, group.rank(), group.size()));
            return new Rounds(group, train, LiveBooster.recover(group, BoostedTraining.PARAMS, train));
        } catch (RuntimeException | Error | InterruptedException e) {
            group.close();
            throw e;
        }
    }

    private record Rounds(XGBoostGroup group, DMatrix train, LiveBooster live) implements Iteration {
        @Override
        public boolean step(int step, boolean wantsEnd) throws InterruptedException {
            live.round(booster -> booster.update(train, live.rounds()));
            return group.allReduce(new long[] {wantsEnd ? 1 : 0}, OpType.MAX)[0] > 0;
        }

        @Override
        public void close() {
            group.close();
        }
    }
}
