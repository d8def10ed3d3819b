/** Boosts trees with XGBoost4J, under the faults of the demo. */
module dev.resiliency.examples.xgboost {
    requires static org.jspecify;
    requires dev.resiliency.examples.digits;
    requires dev.resiliency.xgboost;
    requires info.picocli;

    provides dev.resiliency.examples.digits.MeasurableTraining with
            dev.resiliency.examples.xgboost.MeasurableBoosting,
            dev.resiliency.examples.xgboost.MeasurableTrackerBoosting;

    opens dev.resiliency.examples.xgboost to
            info.picocli;
}
