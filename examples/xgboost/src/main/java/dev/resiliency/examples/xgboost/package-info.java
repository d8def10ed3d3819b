/** Trees on handwritten digits, boosted by XGBoost4J on several ranks, written to be restarted in process. */
@NullMarked
package dev.resiliency.examples.xgboost;

import org.jspecify.annotations.NullMarked;
