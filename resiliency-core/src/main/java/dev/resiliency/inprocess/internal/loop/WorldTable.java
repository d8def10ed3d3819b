package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.rank.Placement;
import dev.resiliency.inprocess.rank.RoleChange;
import dev.resiliency.inprocess.rank.World;

/** What an assignment made of all ranks, as a text of several lines; for the log, which asks for it only if it is shown. */
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
