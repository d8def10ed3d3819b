/**
 * Stages of Spark in which a lost executor costs a restart, not the stage.
 *
 * <p>Start with {@link dev.resiliency.spark.ResilientStage}, which runs a function on the rows of an RDD, one rank in each
 * executor.
 */
@NullMarked
package dev.resiliency.spark;

import org.jspecify.annotations.NullMarked;
