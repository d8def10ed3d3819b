package dev.resiliency.inprocess.internal;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;

/** Where a rank is in its restart loop. A state's step ends in staying there, or in one of the states that may follow. */
enum LoopState {
    /** Waits at the initial barrier, and for the first decision of the leader. */
    JOINING,
    /** The worker runs: initialize hooks, health check, and on an active rank the function. */
    RUNNING,
    /** The worker has ended, the outcome of the iteration is open: others still run, or the fault is being told. */
    AWAITING,
    /** The iteration is interrupted; other faults that happen now are still recorded. */
    LAST_CALL,
    /** No atomic section begins any more; when none runs, what blocks the worker is aborted. */
    ABORTING,
    /** The worker is interrupted, again and again, until it has ended. */
    STOPPING,
    /** Finalize hooks run, then the health check. */
    FINALIZING,
    /** Waits at the iteration barrier, and for the decision of the leader; the lowest rank is the leader. */
    REGROUPING,
    /** All active ranks have completed; completion hooks run. */
    FINISHING,
    /** Waits until all are ready to part, so that the store's host outlives the others. */
    PARTING,
    /** This rank gives up: the others have been told, terminate hooks run. */
    LEAVING,
    /** The loop is over. */
    CLOSED;

    private static final Map<LoopState, Set<LoopState>> FOLLOWING = Map.ofEntries(
            Map.entry(JOINING, EnumSet.of(RUNNING, LEAVING)),
            Map.entry(RUNNING, EnumSet.of(AWAITING, LAST_CALL, ABORTING)),
            Map.entry(AWAITING, EnumSet.of(FINISHING, LAST_CALL, ABORTING)),
            Map.entry(LAST_CALL, EnumSet.of(ABORTING)),
            Map.entry(ABORTING, EnumSet.of(STOPPING, LEAVING)),
            Map.entry(STOPPING, EnumSet.of(FINALIZING, LEAVING)),
            Map.entry(FINALIZING, EnumSet.of(REGROUPING, LEAVING)),
            Map.entry(REGROUPING, EnumSet.of(RUNNING, LEAVING)),
            Map.entry(FINISHING, EnumSet.of(PARTING, LEAVING)),
            Map.entry(PARTING, EnumSet.of(CLOSED)),
            Map.entry(LEAVING, EnumSet.of(CLOSED)),
            Map.entry(CLOSED, EnumSet.noneOf(LoopState.class)));

    /** The states that may follow this one. */
    Set<LoopState> following() {
        return FOLLOWING.getOrDefault(this, Set.of());
    }
}
