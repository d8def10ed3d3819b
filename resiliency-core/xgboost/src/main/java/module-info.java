/** Distributed training with XGBoost4J that a restart can abort and resume. */
@SuppressWarnings({"requires-automatic", "requires-transitive-automatic"}) // XGBoost4J is no module of its own
module dev.resiliency.xgboost {
    requires static transitive org.jspecify;
    requires transitive dev.resiliency.core;
    requires transitive dev.resiliency.state;
    requires transitive ml.dmlc.xgboost4j;
    requires com.fasterxml.jackson.databind;
    requires org.apache.commons.logging; // of XGBoost4J, which cannot say what it needs
    requires org.slf4j;

    exports dev.resiliency.xgboost;
}
