package dev.resiliency.inprocess.internal.protocol;

import dev.resiliency.inprocess.rank.Placement;
import dev.resiliency.inprocess.rank.World;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A change of a rank's role by an assignment, and the reason. Lost ranks have none. A rank that joins changes from none
 * to its first one; the first roles of the ranks with which a job begins are no changes.
 *
 * @param before its place before the assignment
 * @param after its place now; null if the assignment left it out
 * @param reason the reason given by the assignment
 */
public record RoleChange(Placement before, @Nullable Placement after, String reason) {

    /** Returns the changes that an assignment made, in the order of the previous ranks. */
    public static List<RoleChange> between(World before, World after) {
        Map<Integer, Placement> staying = byInitialRank(after.placements());
        Map<Integer, Placement> leaving = byInitialRank(after.leaving());
        List<RoleChange> changes = new ArrayList<>();
        for (Placement was : before.placements()) {
            Placement is = staying.get(was.initialRank());
            if (is != null && isChanged(was, is)) {
                changes.add(new RoleChange(was, is, is.reason().isEmpty() ? cause(was, is) : is.reason()));
            } else if (is == null && was.healthy()) {
                Placement dropped = leaving.getOrDefault(was.initialRank(), was);
                changes.add(new RoleChange(
                        was, null, dropped.reason().isEmpty() ? "the rank assignment left it out" : dropped.reason()));
            }
        }
        return changes;
    }

    private static boolean isChanged(Placement was, Placement is) {
        return was.isNew() ? was.isJoining() : is.activeRank() != was.activeRank();
    }

    /** Returns why the role of a rank changed to which the assignment gave no reason of its own. */
    private static String cause(Placement was, Placement is) {
        if (was.isNew()) {
            return "joined";
        }
        return was.isActive() || is.rank() < was.rank() ? "ranks before it are gone" : "the world has grown";
    }

    private static Map<Integer, Placement> byInitialRank(List<Placement> placements) {
        Map<Integer, Placement> result = new HashMap<>();
        placements.forEach(placement -> result.put(placement.initialRank(), placement));
        return result;
    }

    /** Returns the initial rank whose role changed. */
    public int initialRank() {
        return before.initialRank();
    }

    /** Returns a text for logs: {@code reserve -> active rank 2: steps in for initial rank 5}. */
    @Override
    public String toString() {
        String now = after == null ? (before.isJoining() ? "left out" : "discarded") : role(after);
        return role(before) + " -> " + now + ": " + reason;
    }

    private static String role(Placement placement) {
        if (placement.isNew()) {
            return "new";
        }
        return placement.isActive() ? "active rank " + placement.activeRank() : "reserve";
    }
}
