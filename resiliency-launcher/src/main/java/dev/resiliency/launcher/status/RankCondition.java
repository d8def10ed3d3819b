package dev.resiliency.launcher.status;

import dev.resiliency.launcher.rendezvous.JobStatus;
import java.util.Locale;

/** How a process is, for people; the page has the same in JavaScript. */
enum RankCondition {
    /** It runs. */
    RUNNING,
    /** It has failed, or is lost with its node. */
    FAILED,
    /** It is to end. */
    STOPPING,
    /** It has completed, or has left on purpose. */
    COMPLETED,
    /** It waits to step in: a spare, a rank that the wrapper has made a reserve, or one that joins. It counts as no rank. */
    SPARE,
    /** It has not started. */
    IDLE;

    static RankCondition of(JobStatus.State node, RankSnapshot rank) {
        if (node == JobStatus.State.LOST) {
            return FAILED;
        }
        if (node.isLeave()) {
            return COMPLETED;
        }
        return switch (rank.state()) {
            case "running" -> isReserve(rank) ? SPARE : RUNNING;
            case RankSnapshot.JOINING -> SPARE;
            case "completed", "left" -> COMPLETED;
            case "asking", "waiting", "failed" -> FAILED;
            case "stopping", "killed" -> STOPPING;
            default -> rank.rank() == RankSnapshot.UNKNOWN ? SPARE : IDLE;
        };
    }

    private static boolean isReserve(RankSnapshot rank) {
        boolean isWrapped = rank.iteration() != RankSnapshot.UNKNOWN;
        return rank.activeRank() == RankSnapshot.UNKNOWN && (isWrapped || rank.rank() == RankSnapshot.UNKNOWN);
    }

    /** Returns its name in lower case. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
