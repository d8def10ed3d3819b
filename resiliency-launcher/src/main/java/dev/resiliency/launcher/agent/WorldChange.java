package dev.resiliency.launcher.agent;

import dev.resiliency.inprocess.WorldEvent;
import dev.resiliency.launcher.rendezvous.Seat;
import dev.resiliency.store.IndexSet;

/**
 * How the world of a job has changed with the cycle that its processes start in, for those that have no wrapper.
 *
 * @param before how many ranks the cycle before had; 0 for the first of this agent
 */
record WorldChange(int before) {
    static final WorldChange STARTED = new WorldChange(0);

    /** Returns the change between two seats; within one cycle, that to the cycle. */
    static WorldChange between(Seat before, Seat now, WorldChange last) {
        return before.cycle() == now.cycle() ? last : new WorldChange(before.worldSize());
    }

    WorldEvent event(Seat seat) {
        int now = seat.worldSize();
        IndexSet none = IndexSet.empty();
        if (before == 0) {
            return new WorldEvent.Started(seat.cycle(), now);
        } else if (before < now) {
            return new WorldEvent.ScaledUp(seat.cycle(), before, now, none, IndexSet.range(before, now));
        } else if (before > now) {
            return new WorldEvent.ScaledDown(seat.cycle(), before, now, IndexSet.range(now, before), none);
        }
        return new WorldEvent.Replaced(seat.cycle(), now, none, none);
    }
}
