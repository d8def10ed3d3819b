package dev.resiliency.examples.bench.store;

import com.fasterxml.jackson.annotation.JsonInclude;
import org.jspecify.annotations.Nullable;

/**
 * One figure of one server in one round.
 *
 * @param value in the figure's unit
 * @param p50Micros the median time of a request; null if not requests were measured but an event
 * @param p99Micros what 99 of 100 requests take at most
 * @param cpuMillis how long the server ran meanwhile; null if that says nothing
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record Sample(
        double value,
        @Nullable Double p50Micros,
        @Nullable Double p99Micros,
        @Nullable Long cpuMillis) {}
