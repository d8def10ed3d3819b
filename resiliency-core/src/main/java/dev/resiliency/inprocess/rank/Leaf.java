package dev.resiliency.inprocess.rank;

/** A rank in the computation of a {@link TreeAssignment}. */
final class Leaf {
    private final Group group;
    private final boolean joins;
    private Placement placement;

    Leaf(Placement placement, Group group) {
        this.placement = placement;
        this.group = group;
        this.joins = placement.isJoining();
    }

    /** Returns the rank's group in the deepest layer. */
    Group group() {
        return group;
    }

    Placement placement() {
        return placement;
    }

    boolean isHealthy() {
        return placement.healthy();
    }

    boolean isActive() {
        return placement.healthy() && placement.isActive();
    }

    boolean isReserve() {
        return placement.healthy() && !placement.isActive();
    }

    /** Returns whether it was active and is lost, so that its place is empty. */
    boolean isLostActive() {
        return !placement.healthy() && placement.isActive();
    }

    /** Returns whether it joins in this assignment, unless its group has too few ranks. */
    boolean joins() {
        return joins && placement.healthy();
    }

    /** Gives it the active rank of a lost one. */
    void replace(Leaf lost, String reason) {
        activate(lost.placement.activeRank(), joins ? Placement.joinedInPlaceOf(lost.placement) : reason);
    }

    void activate(int activeRank, String reason) {
        placement = placement.activated(activeRank, reason);
    }

    void deactivate(int reserveOrder, String reason) {
        placement = placement.deactivated(reserveOrder, reason);
    }

    void drop(String reason) {
        if (placement.healthy()) {
            placement = placement.unhealthy(reason);
        }
    }
}
