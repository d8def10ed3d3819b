package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.status.RankSnapshot;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.LongSupplier;

/** What this agent knows of its processes, for whoever looks at the job. Confined to the thread of the agent. */
final class RankSnapshots {
    private final RankSlots slots;
    private final LongSupplier wallClock;
    /** The state of each process as it was read last, and since when it is in it. */
    private final Map<Integer, Seen> seen = new HashMap<>();

    private record Seen(RankSlot.State state, long pid, long since) {}

    RankSnapshots(RankSlots slots, LongSupplier wallClock) {
        this.slots = slots;
        this.wallClock = wallClock;
    }

    /** Reads all. */
    List<RankSnapshot> read() {
        return slots.all().stream().map(this::read).toList();
    }

    private RankSnapshot read(RankSlot slot) {
        Seen last = seen.get(slot.number);
        if (last == null || last.state() != slot.state || last.pid() != slot.pid) {
            last = new Seen(slot.state, slot.pid, wallClock.getAsLong());
            seen.put(slot.number, last);
        }
        return RankSnapshot.of(
                slot.number,
                slots.rankOf(slot).orElse(RankSnapshot.UNKNOWN),
                slot.state.name().toLowerCase(Locale.ROOT),
                slot.pid,
                slot.restarts,
                last.since());
    }
}
