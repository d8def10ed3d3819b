package dev.resiliency.examples.bench.chaos;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * A failure of the network between ranks and the store: connections stay open, and deliver nothing.
 *
 * @param processes the numbers of the processes that are cut off
 * @param direction in which nothing is delivered
 * @param delay delay after the beginning of its batch
 * @param length how long it lasts
 * @param backsOff whether connections that were open when it began are silent for as long again, as when TCP has doubled
 *     the intervals at which it repeats what was lost
 */
record Outage(List<Integer> processes, Direction direction, Duration delay, Duration length, boolean backsOff) {

    /** Directions of the network. */
    enum Direction {
        BOTH,
        TO_STORE,
        FROM_STORE
    }

    /** Returns an outage of the host of a process that costs the job the process. */
    static Outage overTimeout(int process) {
        return new Outage(List.of(process), Direction.BOTH, Duration.ZERO, ChaosLimits.OUTAGE_OVER_TIMEOUT, false);
    }

    /** Returns whether it holds up what goes in this direction, which is not {@code BOTH}. */
    boolean holds(Direction way) {
        return direction == Direction.BOTH || direction == way;
    }

    /** Returns how long the last connection is silent. */
    Duration silence() {
        return backsOff ? length.multipliedBy(2) : length;
    }

    /** Returns the text for the timeline: {@code outage of 1.5 s:1,3 to store}. */
    @Override
    public String toString() {
        String way = direction.name().toLowerCase(Locale.ROOT).replace('_', ' ');
        String where = direction == Direction.BOTH ? "" : " " + way;
        return "outage of %.1f s%s:%s%s%s"
                .formatted(
                        length.toMillis() / 1e3,
                        backsOff ? " with back-off" : "",
                        processes.stream().map(String::valueOf).collect(Collectors.joining(",")),
                        where,
                        delay.isZero() ? "" : "+" + delay.toMillis() + "ms");
    }
}
