package dev.resiliency.examples.timeline;

import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;

/**
 * The time axis of a picture.
 *
 * @param start in nanoseconds
 * @param end in nanoseconds, after the start
 */
record Axis(long start, long end) {
    private static final double MILLI = 1e6;
    private static final long MICRO = 1000;
    private static final int[] ROUND = {1, 2, 5};

    /**
     * Returns the axis of a whole restart, from the fault, or from before it if a rank learned of it earlier. Processes
     * that join may have begun long before, outside of it.
     */
    static Axis of(RestartTimeline restart) {
        return of(
                restart.ranks().stream()
                        .filter(rank -> rank.admission().isEmpty())
                        .toList(),
                restart);
    }

    /** Returns the axis of the way of those who join, from the start of the first to the end of the restart. */
    static Axis ofJoiners(RestartTimeline restart) {
        return of(restart.joiners(), restart);
    }

    private static Axis of(List<RankTimeline> ranks, RestartTimeline restart) {
        long start =
                Math.min(0, ranks.stream().mapToLong(RankTimeline::start).min().orElse(0));
        return new Axis(start, Math.max(restart.end(), start + MICRO));
    }

    /** Returns the position of this time, from 0 to 1. */
    double share(long nanos) {
        return Math.min(1, Math.max(0, (double) (nanos - start) / (end - start)));
    }

    /** Returns round times on it, about {@code count}. */
    LongStream ticks(int count) {
        long step = step(count);
        return LongStream.rangeClosed(-Math.floorDiv(-start, step), Math.floorDiv(end, step))
                .map(tick -> tick * step);
    }

    private long step(int count) {
        long power = MICRO;
        while (true) {
            for (int factor : ROUND) {
                if ((end - start) / (power * factor) <= count) {
                    return power * factor;
                }
            }
            power *= 10;
        }
    }

    /** Returns the label of a tick, in milliseconds: {@code 0.25}, {@code 20}. */
    static String label(long nanos) {
        double millis = nanos / MILLI;
        return millis == Math.rint(millis) ? Long.toString((long) millis) : Double.toString(millis);
    }

    /** Returns a time in milliseconds: two decimals below 10, otherwise one. */
    static String millis(long nanos) {
        return String.format(Locale.ROOT, Math.abs(nanos) < 10 * MILLI ? "%.2f" : "%.1f", nanos / MILLI);
    }
}
