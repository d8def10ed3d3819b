package dev.resiliency.examples.spark;

import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.xgboost.LiveBooster;
import dev.resiliency.xgboost.XGBoostGroup;
import java.util.List;
import java.util.Map;
import ml.dmlc.xgboost4j.java.DMatrix;
import org.apache.spark.api.java.function.Function2;

/** The training of a rank in a resilient stage: the function that is called again on all of them. Returns the model. */
record ResilientBoosting(int rounds, Map<String, Object> params, Rounds journal)
        implements Function2<CallWrapper, List<DigitRow>, byte[]> {
    @Override
    public byte[] call(CallWrapper call, List<DigitRow> rows) throws Exception {
        int rank = call.state().initialRank();
        try (XGBoostGroup group = XGBoostGroup.connect(call)) {
            DMatrix train = group.matrix(() -> DigitRow.matrix(rows));
            LiveBooster live = LiveBooster.recover(group, params, train);
            while (live.rounds() < rounds) {
                live.round(booster -> booster.update(train, live.rounds()));
                journal.completed(rank, live.rounds(), call.iteration());
            }
            return live.model();
        }
    }
}
