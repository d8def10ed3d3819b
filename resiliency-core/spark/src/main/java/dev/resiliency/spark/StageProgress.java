package dev.resiliency.spark;

import org.apache.spark.scheduler.SparkListenerEvent;

/**
 * How far a stage is whose function tells its {@linkplain dev.resiliency.inprocess.CallWrapper#step steps}. Each {@code SparkListener} of
 * the driver receives one in {@code onOtherEvent} when the step has changed, five times a second at most. Event logs of Spark do not have it.
 *
 * @param stage the name of the stage in the log, such as {@code app-20261127-0000-resilient-1}
 * @param step which the function has begun last
 * @param restarts how many restarts the stage has had
 * @param ranks how many ranks run the function
 * @since 0.1.0
 */
public record StageProgress(String stage, long step, int restarts, int ranks) implements SparkListenerEvent {
    @Override
    public boolean logEvent() {
        return false;
    }
}
