package dev.resiliency.spark;

import org.apache.spark.scheduler.SparkListenerEvent;

/**
 * A restart of a stage, which each {@code SparkListener} of the driver receives in {@code onOtherEvent}.
 *
 * @param stage the name of the stage in the log, such as {@code app-20261127-0000-resilient-1}
 * @param restarts how many restarts the stage has had, with this one
 * @param ranks how many ranks run the function now
 * @param cause why, as {@link dev.resiliency.inprocess.State#lastFault} says it
 * @since 0.1.0
 */
public record StageRestart(String stage, int restarts, int ranks, String cause) implements SparkListenerEvent {}
