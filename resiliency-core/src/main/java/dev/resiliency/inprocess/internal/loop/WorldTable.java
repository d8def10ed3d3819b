package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.internal.protocol.RoleChange;
import dev.resiliency.inprocess.rank.Placement;
import dev.resiliency.inprocess.rank.World;

/** The result of an assignment for all ranks, as lines of text; formatted only if it is logged. */
record WorldTable(World before, World after) {
    @Override
    public String toString() {
        StringBuilder table = new StringBuilder();
        for (Placement placement : after.placements()) {
            table.append("\n  rank ")
                    .append(placement.rank())
                    .append(": initial rank ")
                    .append(placement.initialRank())
                    .append(placement.isActive() ? ", active rank " + placement.activeRank() : ", reserve");
        }
        for (RoleChange change : RoleChange.between(before, after)) {
            table.append("\n  initial rank ")
                    .append(change.initialRank())
                    .append(": ")
                    .append(change);
        }
        return table.toString();
    }
}
