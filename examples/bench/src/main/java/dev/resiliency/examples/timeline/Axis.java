package dev.resiliency.examples.timeline;

import java.util.Locale;
import java.util.stream.LongStream;

/**
 * Which times a picture shows, and where.
 *
 * @param start in nanoseconds
 * @param end in nanoseconds; more than the start
 */
record Axis(long start, long end) {
    private static final double MILLI = 1e6;
    private static final long MICRO = 1000;
    private static final int[] ROUND = {1, 2, 5};

    /** For a whole restart, from the fault, or from before it if somebody knew so early. */
    static Axis of(RestartTimeline restart) {
        long start =
                restart.ranks().stream().mapToLong(RankTimeline::start).min().orElse(0);
        return new Axis(Math.min(0, start), Math.max(restart.end(), start + MICRO));
    }

    /** Which part of the axis lies before this moment, from 0 to 1. */
    double share(long nanos) {
        return Math.min(1, Math.max(0, (double) (nanos - start) / (end - start)));
    }

    /** Round times on it, at most {@code count} or a few more. */
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

    /** As the label of a tick, in milliseconds: {@code 0.25}, {@code 20}. */
    static String label(long nanos) {
        double millis = nanos / MILLI;
        return millis == Math.rint(millis) ? Long.toString((long) millis) : Double.toString(millis);
    }

    /** As a figure, in milliseconds: two decimals below 10, else one. */
    static String millis(long nanos) {
        return String.format(Locale.ROOT, Math.abs(nanos) < 10 * MILLI ? "%.2f" : "%.1f", nanos / MILLI);
    }
}
