package dev.resiliency.monitor.spi;

import java.util.List;

/**
 * How long sections of one name took in one process, or the times between its heartbeats.
 *
 * @param section empty for the times between heartbeats
 * @param count how many have ended, warm-up included
 * @param slowestWarmUp of those that count as warm-up, in nanoseconds; 0 if there was none
 * @param slowest of the others, in nanoseconds; 0 if there was none
 * @param counts how many took how long, without the warm-up; shortest first
 * @since 0.1.0
 */
public record RankTimings(String section, long count, long slowestWarmUp, long slowest, List<Bucket> counts) {

    /** Copies the list. */
    public RankTimings {
        counts = List.copyOf(counts);
    }

    /**
     * Durations that are counted together.
     *
     * @param nanos the middle of the bucket, which is right to 6 %
     */
    public record Bucket(long nanos, long count) {}
}
