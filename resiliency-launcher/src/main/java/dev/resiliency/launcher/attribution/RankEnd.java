package dev.resiliency.launcher.attribution;

import dev.resiliency.launcher.process.ExitReason;
import dev.resiliency.launcher.process.Verdict;
import dev.resiliency.monitor.spi.JobPart;

/**
 * How the process of a rank has ended. An exit code of 0 alone does not say that it has completed.
 *
 * @param part that it had in its job
 */
public record RankEnd(ExitReason reason, JobPart part) {
    /** Returns what that means: a rank of a job that has not completed has failed, unless it has left on purpose. */
    public Verdict verdict() {
        return isUnfinished() ? Verdict.FAILED : Verdict.of(reason);
    }

    private boolean isUnfinished() {
        return reason.code() == 0 && part == JobPart.MEMBER;
    }

    /** Returns whether it has left on purpose, before its job has completed. */
    public boolean hasLeft() {
        return reason.code() == 0 && part == JobPart.LEFT;
    }

    /** Returns whether its job has completed, as far as it knows. */
    public boolean hasCompletedJob() {
        return reason.code() == 0 && part == JobPart.COMPLETED;
    }

    /** Returns what happened, as the end of a sentence about the process. */
    public String description() {
        if (isUnfinished()) {
            return reason.description() + ", although its job has not completed";
        }
        return hasLeft() ? reason.description() + ", as it has left the job" : Verdict.describe(reason);
    }
}
