package dev.resiliency.monitor.spi;

import dev.resiliency.inprocess.WorldEvent;
import dev.resiliency.store.IndexSet;
import java.time.Instant;
import java.util.List;

/** The kinds of world events. */
enum EventKind {
    STARTED,
    PAUSING,
    DRAINING,
    COMPLETED,
    SCALED_UP,
    SCALED_DOWN,
    REPLACED;

    /** Their numbers in a {@link StampFile}. */
    static final List<EventKind> CODES =
            List.of(STARTED, PAUSING, DRAINING, COMPLETED, SCALED_UP, SCALED_DOWN, REPLACED);

    static EventKind of(WorldEvent event) {
        if (event instanceof WorldEvent.Started) {
            return STARTED;
        } else if (event instanceof WorldEvent.Pausing) {
            return PAUSING;
        } else if (event instanceof WorldEvent.Draining) {
            return DRAINING;
        } else if (event instanceof WorldEvent.Completed) {
            return COMPLETED;
        } else if (event instanceof WorldEvent.ScaledUp) {
            return SCALED_UP;
        } else if (event instanceof WorldEvent.ScaledDown) {
            return SCALED_DOWN;
        }
        return REPLACED;
    }

    WorldEvent event(int iteration, int before, int now, Instant time) {
        return switch (this) {
            case STARTED -> new WorldEvent.Started(iteration, now, time);
            case PAUSING -> new WorldEvent.Pausing(iteration, now, time);
            case DRAINING -> new WorldEvent.Draining(iteration, now, time);
            case COMPLETED -> new WorldEvent.Completed(iteration, now, time);
            case SCALED_UP ->
                new WorldEvent.ScaledUp(iteration, before, now, IndexSet.empty(), between(before, now), time);
            case SCALED_DOWN ->
                new WorldEvent.ScaledDown(iteration, before, now, between(now, before), IndexSet.empty(), time);
            case REPLACED -> new WorldEvent.Replaced(iteration, now, IndexSet.empty(), IndexSet.empty(), time);
        };
    }

    /** Returns the ranks by which two worlds differ. A slot that the agent overwrites meanwhile must not fail the rank. */
    private static IndexSet between(int one, int other) {
        return IndexSet.range(Math.min(one, other), Math.max(one, other));
    }
}
