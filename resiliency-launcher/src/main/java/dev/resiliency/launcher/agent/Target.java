package dev.resiliency.launcher.agent;

/** What starts again. */
sealed interface Target {
    /** A process of this node, by its number. */
    record One(int process) implements Target {}

    /** All processes of this node. */
    record Node() implements Target {}

    /** All processes of the job. */
    record Job() implements Target {}
}
