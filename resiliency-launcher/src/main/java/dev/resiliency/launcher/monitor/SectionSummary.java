package dev.resiliency.launcher.monitor;

/**
 * What people are shown of a section of a job; times are in seconds.
 *
 * @param section empty for the times between heartbeats
 * @param count how many times there were, without the warm-up
 * @param limit 0 if there is none
 */
public record SectionSummary(String section, long count, double p50, double p99, double slowest, double limit) {

    /** Returns how near the slowest time came to the limit, as a part of it; 0 if there is none. */
    public double nearest() {
        return limit == 0 ? 0 : slowest / limit;
    }
}
