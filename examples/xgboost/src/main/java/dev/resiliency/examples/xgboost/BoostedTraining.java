package dev.resiliency.examples.xgboost;

import dev.resiliency.examples.digits.Digits;
import dev.resiliency.examples.digits.TrainingObserver;
import dev.resiliency.examples.digits.TrainingPlan;
import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.inprocess.RestartableFunction;
import dev.resiliency.xgboost.LiveBooster;
import dev.resiliency.xgboost.XGBoostGroup;
import java.util.Map;
import ml.dmlc.xgboost4j.java.DMatrix;

/**
 * Boosts trees on the digits, on all active ranks together: the function to wrap. It returns the accuracy on the held-out
 * digits.
 *
 * <p>Each call builds the matrices anew, from the rows of this iteration's ranks. The model comes from memory, from the
 * other ranks or, if no rank has it, from the checkpoint.
 */
final class BoostedTraining implements RestartableFunction<Double> {
    static final Map<String, Object> PARAMS = Map.of(
            "objective",
            "multi:softprob",
            "num_class",
            Digits.CLASSES,
            "base_score",
            0.5,
            "max_depth",
            3,
            "eta",
            0.3,
            "nthread",
            1, // there are more ranks than cores
            "verbosity",
            1);

    private final TrainingPlan plan;
    private final Digits.Split digits;
    private final ModelFile file;
    private final TrainingObserver observer;

    /**
     * Creates a training.
     *
     * @param file in a directory that all ranks share
     */
    BoostedTraining(TrainingPlan plan, Digits.Split digits, ModelFile file, TrainingObserver observer) {
        this.plan = plan;
        this.digits = digits;
        this.file = file;
        this.observer = observer;
    }

    @Override
    public Double call(CallWrapper call) throws Exception {
        observer.entered(call.state());
        try (XGBoostGroup group = XGBoostGroup.connect(call)) {
            DMatrix train = group.matrix(() -> Matrices.part(digits.training(), group.rank(), group.size()));
            DMatrix heldOut = group.matrix(() -> Matrices.all(digits.heldOut()));
            LiveBooster live = LiveBooster.recover(group, PARAMS, train, file::read);
            observer.recovered(live.recovery());
            save(call, live); // the rank that was to save it may be lost
            while (live.rounds() < plan.steps()) {
                observer.stepStarts(call, live.rounds() + 1);
                live.round(booster -> booster.update(train, live.rounds()));
                if (plan.measuresAfter(live.rounds())) {
                    Score score = Score.of(live.booster().predict(heldOut), digits.heldOut());
                    observer.measured(live.rounds(), score.loss(), score.accuracy());
                }
                save(call, live);
            }
            return Score.of(live.booster().predict(heldOut), digits.heldOut()).accuracy();
        }
    }

    private void save(CallWrapper call, LiveBooster live) throws Exception {
        if (call.state().activeRank() == 0 && live.rounds() > 0 && plan.savesAfter(live.rounds())) {
            file.save(call, live.model());
            observer.saved(live.rounds());
        }
    }
}
