package dev.resiliency.launcher.attribution;

import dev.resiliency.launcher.process.ExitReason;
import dev.resiliency.launcher.process.ExitReason.Exited;
import dev.resiliency.launcher.process.Verdict;
import dev.resiliency.monitor.spi.JobPart;

/**
 * How the process of a rank has ended. An exit code of 0 alone does not say that it has completed.
 *
 * @param part that it had in its job
 */
public record RankEnd(ExitReason reason, JobPart part) {
    /** Returns what that means: a rank of a job that has not completed has failed, unless it has left on purpose or given up. */
    public Verdict verdict() {
        if (isUnfinished()) {
            return Verdict.FAILED;
        }
        return hasGivenUp() ? Verdict.ABORT : Verdict.of(reason);
    }

    /** Returns whether its wrapper says that nobody should try again, whatever the exit code: not if a signal has ended it. */
    boolean hasGivenUp() {
        return part == JobPart.GIVEN_UP && reason instanceof Exited && Verdict.of(reason) == Verdict.FAILED;
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
        if (hasGivenUp()) {
            return reason.description() + ", after its wrapper has given up";
        }
        return hasLeft() ? reason.description() + ", as it has left the job" : Verdict.describe(reason);
    }
}
