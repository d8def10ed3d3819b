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
    /** It has not started, as a spare process that is not needed. */
    IDLE;

    static RankCondition of(JobStatus.State node, RankSnapshot rank) {
        if (node == JobStatus.State.LOST) {
            return FAILED;
        }
        if (node == JobStatus.State.COMPLETED) {
            return COMPLETED;
        }
        return switch (rank.state()) {
            case "running" -> RUNNING;
            case "completed", "left" -> COMPLETED;
            case "asking", "waiting", "failed" -> FAILED;
            case "stopping", "killed" -> STOPPING;
            default -> IDLE;
        };
    }

    /** Returns its name in lower case. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
