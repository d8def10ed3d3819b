package dev.resiliency.examples.timeline;

/**
 * Start and end of a part of a restart on a rank.
 *
 * @param start in nanoseconds, as {@link RankTimeline} counts them
 * @param end likewise
 */
public record Span(Part part, long start, long end) {
    long length() {
        return end - start;
    }

    Span shifted(long nanos) {
        return new Span(part, start + nanos, end + nanos);
    }
}
