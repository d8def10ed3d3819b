/**
 * Distributed training with XGBoost4J that a restart can abort and resume.
 *
 * <p>Start with {@link dev.resiliency.xgboost.XGBoostGroup}, which connects the ranks of an iteration, and {@link
 * dev.resiliency.xgboost.LiveBooster}, whose model survives restarts in the memory of the ranks.
 */
@NullMarked
package dev.resiliency.xgboost;

import org.jspecify.annotations.NullMarked;
