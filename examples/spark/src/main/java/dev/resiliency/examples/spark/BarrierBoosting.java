package dev.resiliency.examples.spark;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import ml.dmlc.xgboost4j.java.Booster;
import ml.dmlc.xgboost4j.java.Communicator;
import ml.dmlc.xgboost4j.java.DMatrix;
import ml.dmlc.xgboost4j.java.RabitTracker;
import ml.dmlc.xgboost4j.java.XGBoost;
import ml.dmlc.xgboost4j.java.XGBoostError;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.jspecify.annotations.Nullable;
import scala.Function1;
import scala.reflect.ClassTag$;

/** The same training in a barrier stage, with a tracker of XGBoost in the first task. */
record BarrierBoosting(int rounds, Map<String, Object> params, Rounds journal)
        implements FlatMapFunction<Iterator<DigitRow>, byte[]> {

    /** Runs it, and once more if it fails: Spark gives up a job whose last stage is a barrier stage that has failed. */
    static List<byte[]> run(JavaRDD<DigitRow> rows, BarrierBoosting boosting) {
        JavaRDD<byte[]> models = barrier(rows).mapPartitions(boosting);
        try {
            return models.collect();
        } catch (Exception failed) { // a SparkException, which Scala does not declare
            return models.collect();
        }
    }

    /** Returns the rows as those of a barrier stage. */
    private static JavaRDD<DigitRow> barrier(JavaRDD<DigitRow> rows) {
        Function1<scala.collection.Iterator<DigitRow>, scala.collection.Iterator<DigitRow>> same =
                (Function1<scala.collection.Iterator<DigitRow>, scala.collection.Iterator<DigitRow>> & Serializable)
                        each -> each;
        return rows.rdd()
                .barrier()
                .mapPartitions(same, false, ClassTag$.MODULE$.apply(DigitRow.class))
                .toJavaRDD();
    }

    @Override
    public Iterator<byte[]> call(Iterator<DigitRow> partition) throws Exception {
        List<DigitRow> rows = new ArrayList<>();
        partition.forEachRemaining(rows::add);
        BarrierTaskContext task = BarrierTaskContext.get();
        int rank = task.partitionId();
        int ranks = task.getTaskInfos().length;
        RabitTracker tracker = rank == 0 ? new RabitTracker(ranks, "127.0.0.1") : null;
        String port = "";
        if (tracker != null) {
            tracker.start();
            port = String.valueOf(tracker.getWorkerArgs().get("dmlc_tracker_port"));
        }
        port = task.allGather(port)[0];
        Communicator.init(Map.of("dmlc_tracker_uri", "127.0.0.1", "dmlc_tracker_port", Integer.valueOf(port)));
        try {
            DMatrix train = DigitRow.matrix(rows);
            Booster booster = XGBoost.train(train, params, 0, Map.of(), null, null);
            for (int round = 0; round < rounds; round++) {
                booster.update(train, round);
                journal.completed(rank, round + 1, task.stageId()); // another one each time it is run
            }
            return List.of(booster.toByteArray("ubj")).iterator();
        } finally {
            end(tracker);
        }
    }

    private static void end(@Nullable RabitTracker tracker) throws XGBoostError {
        try {
            Communicator.shutdown();
        } finally {
            if (tracker != null) {
                stop(tracker);
            }
        }
    }

    private static void stop(RabitTracker tracker) {
        try {
            tracker.stop();
        } catch (XGBoostError stillAccepts) {
            return; // it reports that it accepts no connection any more
        }
    }
}
