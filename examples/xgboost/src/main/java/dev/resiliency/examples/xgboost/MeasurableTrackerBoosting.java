package dev.resiliency.examples.xgboost;

import dev.resiliency.examples.digits.Digits;
import dev.resiliency.examples.digits.MeasurableTraining;
import dev.resiliency.inprocess.CallWrapper;
import dev.resiliency.xgboost.XGBoostLibrary;
import java.io.IOException;
import java.util.Map;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.Communicator;
import ml.dmlc.xgboost4j.java.Communicator.OpType;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.RabitTracker;
import ml.dmlc.xgboost4j.java.XGBoost;
import ml.dmlc.xgboost4j.java.XGBoostError;
import org.jspecify.annotations.Nullable;

/**
 * The same with nothing but XGBoost4J, to compare: rank 0 starts a tracker in each iteration, nothing is aborted, and the
 * model begins anew.
 */
public final class MeasurableTrackerBoosting implements MeasurableTraining {
    private final Digits digits;

    /** Reads the digits. */
    public MeasurableTrackerBoosting() throws IOException {
        digits = Digits.load().training();
    }

    @Override
    public String name() {
        return "xgboost-tracker";
    }

    @Override
    public void load() {
        XGBoostLibrary.load();
    }

    @Override
    public Iteration begin(CallWrapper call) throws Exception {
        int rank = call.state().activeRank();
        int size = call.state().activeWorldSize();
        RabitTracker tracker = rank == 0 ? new RabitTracker(size, "127.0.0.1") : null;
        if (tracker != null) {
            tracker.start();
            Map<String, Object> worker = tracker.getWorkerArgs();
            call.store().set("tracker", String.valueOf(worker.get("dmlc_tracker_port")));
        }
        int port = Integer.parseInt(call.store().get("tracker").text());
        Communicator.init(Map.of("dmlc_tracker_uri", "127.0.0.1", "dmlc_tracker_port", port));
        try {
            DMatrix train = Matrices.part(digits, rank, size);
            Booster booster = XGBoost.train(train, BoostedTraining.PARAMS, 0, Map.of(), null, null);
            return new Rounds(call, tracker, train, booster);
        } catch (XGBoostError e) {
            end(tracker);
            throw e;
        }
    }

    private static void end(@Nullable RabitTracker tracker) throws XGBoostError {
        try {
            Communicator.shutdown();
        } finally {
            if (tracker != null) {
                tracker.stop();
            }
        }
    }

    private record Rounds(CallWrapper call, @Nullable RabitTracker tracker, DMatrix train, Booster booster)
            implements Iteration {
        @Override
        public boolean step(int step, boolean wantsEnd) throws XGBoostError {
            call.ping();
            booster.update(train, step);
            return Communicator.allReduce(new float[] {wantsEnd ? 1 : 0}, OpType.MAX)[0] > 0;
        }

        @Override
        public void close() throws IOException {
            booster.dispose();
            train.dispose();
            try {
                end(tracker);
            } catch (XGBoostError e) {
                throw new IOException(e);
            }
        }
    }
}
