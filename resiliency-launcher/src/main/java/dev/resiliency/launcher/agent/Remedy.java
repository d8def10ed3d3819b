package dev.resiliency.launcher.agent;

import dev.resiliency.launcher.RestartPolicy;

/**
 * What a restart policy does about a loss.
 *
 * @param reason why, for the log
 */
record Remedy(Kind kind, String reason) {

    /** What is started again. */
    enum Kind {
        /** The process that has ended, and it alone. */
        RESTART_RANK,
        /** All processes of its node. */
        RESTART_NODE,
        /** All processes of all nodes, in the next cycle. */
        RESTART_JOB,
        /** Nothing: the others go on. */
        NOTHING
    }

    /** Returns what to do when the process of a rank has failed. */
    static Remedy ofFailedRank(RestartPolicy policy) {
        return switch (policy) {
            case SOFT -> new Remedy(Kind.RESTART_RANK, "it is to start again, and to join the others, which go on");
            case SOFT_NO_REPLACE -> new Remedy(Kind.RESTART_NODE, "all ranks of this node end and join again");
            case HARD -> new Remedy(Kind.RESTART_JOB, "all ranks of the job start again");
        };
    }

    /** Returns what to do when a node is lost. */
    static Remedy ofLostNode(RestartPolicy policy) {
        return policy == RestartPolicy.HARD
                ? new Remedy(Kind.RESTART_JOB, "all ranks of the job start again")
                : new Remedy(Kind.NOTHING, "the others continue without it until it rejoins");
    }
}
