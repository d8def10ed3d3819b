package dev.resiliency.inprocess.internal.loop;

/**
 * The names of the {@linkplain Stage stages}, for logs. The loop goes through them in this order, except for its
 * cycles.
 */
public enum LoopState {
    /** A founder waits at the initial barrier, and for the first decision of the leader. */
    FOUNDING,
    /** A process that came later waits until the leader admits it. */
    JOINING,
    /** This rank has accepted the world of the next iteration, and waits until enough others have. */
    AGREEING,
    /** The worker runs: initialize hooks, health check, and on an active rank the function. */
    RUNNING,
    /**
     * The worker has ended and the outcome is open: others still run or have not come to the safe point, or the fault
     * is being recorded.
     */
    AWAITING,
    /** The iteration is interrupted; other faults that happen now are still recorded. */
    LAST_CALL,
    /** No further atomic section can begin; once none runs, the abort actions unblock the worker. */
    ABORTING,
    /** The worker is interrupted repeatedly until it has ended. */
    STOPPING,
    /** Finalize hooks run. */
    FINALIZING,
    /** The health check runs. */
    CHECKING_HEALTH,
    /** A pause, as the function has failed at once several times in a row. */
    BACKING_OFF,
    /** Waits at the iteration barrier, and for the decision of the leader; the lowest rank is the leader. */
    REGROUPING,
    /** The store is lost: waits until survivors have founded another. */
    REFOUNDING,
    /** All active ranks have completed; waits until enough members have accepted that. */
    ACKNOWLEDGING,
    /** All active ranks have completed; completion hooks run. */
    FINISHING,
    /** Waits until all are ready to disconnect, so that the store's host outlives the others. */
    PARTING,
    /** This rank gives up: the others are being notified, terminate hooks run. */
    LEAVING,
    /** The loop is over. */
    CLOSED
}
