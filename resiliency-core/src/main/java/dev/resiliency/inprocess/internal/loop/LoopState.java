package dev.resiliency.inprocess.internal.loop;

import dev.resiliency.inprocess.RestartReport.Phase;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Where a rank is in its restart loop. A state's step ends in staying there, or in one of the states that may follow. */
public enum LoopState {
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
    /** Finalize hooks run. */
    FINALIZING,
    /** The health check runs. */
    CHECKING_HEALTH,
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
            Map.entry(FINALIZING, EnumSet.of(CHECKING_HEALTH, LEAVING)),
            Map.entry(CHECKING_HEALTH, EnumSet.of(REGROUPING, LEAVING)),
            Map.entry(REGROUPING, EnumSet.of(RUNNING, LEAVING)),
            Map.entry(FINISHING, EnumSet.of(PARTING, LEAVING)),
            Map.entry(PARTING, EnumSet.of(CLOSED)),
            Map.entry(LEAVING, EnumSet.of(CLOSED)),
            Map.entry(CLOSED, EnumSet.noneOf(LoopState.class)));

    /** The phase of a restart that ends with this state; null if it is none, or if its phases end within it. */
    @Nullable
    Phase phase() {
        return switch (this) {
            case LAST_CALL -> Phase.LAST_CALL;
            case ABORTING -> Phase.ABORT;
            case STOPPING -> Phase.STOP;
            case FINALIZING -> Phase.FINALIZE;
            case CHECKING_HEALTH -> Phase.HEALTH_CHECK;
            default -> null;
        };
    }

    /** The states that may follow this one. */
    Set<LoopState> following() {
        return FOLLOWING.getOrDefault(this, Set.of());
    }
}
