package dev.resiliency.spark;

import java.util.Optional;
import org.apache.spark.SparkConf;

/** Why a stage cannot run with the settings of a Spark, or would not survive what it should. */
final class Refusal {
    private Refusal() {}

    /**
     * Returns the reason for which a stage would not work.
     *
     * @param version of Spark
     */
    static Optional<String> of(String version, SparkConf conf, boolean isBarrier) {
        if (version.matches("([0-3]|4\\.0)\\..*")) {
            return Optional.of("this is Spark " + version + ", and resiliency-spark needs Spark 4.1 or newer");
        }
        if (isBarrier) {
            return Optional.of(
                    "the RDD is part of a barrier stage, which Spark fails as a whole when it loses an executor:"
                            + " leave out barrier()");
        }
        if (conf.getBoolean("spark.speculation", false)) {
            return Optional.of(
                    "spark.speculation is true: a second copy of a task would join as another rank, and the first to end"
                            + " would end the other. Set it to false");
        }
        if (conf.getBoolean("spark.dynamicAllocation.enabled", false)) {
            return Optional.of(
                    "spark.dynamicAllocation.enabled is true: Spark would start executors only for tasks that wait, and"
                            + " end those that are idle, while a stage needs all its executors before it begins. Set it to"
                            + " false, and spark.executor.instances to the number of ranks");
        }
        return Optional.empty();
    }

    /** Returns what would keep a stage from surviving as many lost executors as it may have restarts. */
    static Optional<String> warning(SparkConf conf, boolean isLocal, int maxRestarts) {
        int failures = conf.getInt("spark.task.maxFailures", 4);
        return !isLocal && failures <= Math.min(3, maxRestarts)
                ? Optional.of("spark.task.maxFailures is " + failures
                        + ": Spark fails the stage when it has lost the same rank that often")
                : Optional.empty();
    }
}
