package dev.resiliency.launcher.rendezvous;

/** What has become of the call of a cycle. */
public enum CycleCall {
    /** It was the first: all ranks of the job start again. */
    FIRST,
    /** The cycle, or a later one, was called before. */
    LATE,
    /** The job has completed, so its ranks do not start again. */
    COMPLETE
}
