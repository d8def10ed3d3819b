package dev.resiliency.launcher.rendezvous;

import dev.resiliency.store.IndexSet;
import java.util.HashMap;
import java.util.Map;

/**
 * Who has come to a job and what has become of them, as one agent knows it. Immutable; the sets only grow.
 *
 * @param sets by their keys
 */
record Roster(Map<String, IndexSet> sets) {
    static final Roster EMPTY = new Roster(Map.of());

    /** Copies the sets. */
    Roster {
        sets = Map.copyOf(sets);
    }

    /** Returns this roster with more members of a set. */
    Roster with(String key, IndexSet more) {
        Map<String, IndexSet> grown = new HashMap<>(sets);
        grown.merge(key, more, IndexSet::union);
        return new Roster(grown);
    }

    private IndexSet set(String key) {
        return sets.getOrDefault(key, IndexSet.empty());
    }

    IndexSet came() {
        return set(Keys.CAME);
    }

    /** Returns those that have died, or left before the end. */
    IndexSet gone() {
        return set(Keys.GONE);
    }

    /** Returns those that wait until there is room for them. */
    IndexSet waiting() {
        return set(Keys.WAITING);
    }

    /** Returns how many decisions about seats have been taken. */
    int tables() {
        return set(Keys.TABLES).size();
    }

    /** Returns those that are there. */
    IndexSet living() {
        return came().minus(gone()).minus(set(Keys.DONE));
    }

    /** Returns those that are there and are not to leave; who is about to, unasked, only a host that leaves itself knows. */
    IndexSet staying() {
        return living().minus(set(Keys.LEAVING)).minus(set(Keys.STOPPING));
    }

    /** Returns whether the processes that those who are there had in earlier cycles have ended. */
    boolean isReady(int cycle) {
        return set(Keys.ready(cycle)).containsAll(living());
    }

    /** Returns those whose ranks have completed in a cycle. */
    IndexSet completed(int cycle) {
        return set(Keys.completed(cycle));
    }

    /** Returns whether an agent has the lowest number of those that are there. */
    boolean isLowest(int arrival) {
        IndexSet living = living();
        return !living.isEmpty() && living.lowest() == arrival;
    }

    /** Returns what has become of one that is gone: {@code is lost}. */
    String fateOf(int arrival) {
        return !set(Keys.LEFT).contains(arrival)
                ? "is lost"
                : set(Keys.LEAVING).contains(arrival) ? "has left (drained)" : "has left";
    }
}
