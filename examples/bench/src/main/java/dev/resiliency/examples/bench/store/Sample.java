package dev.resiliency.examples.bench.store;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * One figure of one server in one round.
 *
 * @param value in the figure's unit
 * @param p50Micros the median time of a request; null for events
 * @param p99Micros the 99th percentile of the time of a request
 * @param cpuMillis CPU time of the server meanwhile; null if meaningless
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Sample(
        double value,
        @Nullable Double p50Micros,
        @Nullable Double p99Micros,
        @Nullable Long cpuMillis) {}
