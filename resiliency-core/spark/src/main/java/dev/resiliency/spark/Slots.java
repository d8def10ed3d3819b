package dev.resiliency.spark;

import java.util.List;
import org.apache.spark.SparkContext;
import org.apache.spark.status.api.v1.ExecutorSummary;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Where ranks can run: each in an executor without tasks or, where the driver runs them itself, on a core of it.
 *
 * @param all how many there are
 * @param free how many of them have no task
 * @param executorCores of the largest executor
 */
record Slots(int all, int free, int executorCores) {
    private static final String DRIVER = "driver";

    static Slots of(SparkContext context) {
        List<ExecutorSummary> executors = CollectionConverters.asJava(
                        context.statusStore().executorList(true))
                .stream()
                .filter(executor -> context.isLocal() == DRIVER.equals(executor.id()))
                .toList();
        int cores =
                executors.stream().mapToInt(ExecutorSummary::totalCores).max().orElse(0);
        if (context.isLocal()) {
            int busy = executors.stream().mapToInt(ExecutorSummary::activeTasks).sum();
            return new Slots(cores, cores - busy, cores);
        }
        long free = executors.stream()
                .filter(executor -> executor.activeTasks() == 0)
                .count();
        return new Slots(executors.size(), (int) free, cores);
    }
}
