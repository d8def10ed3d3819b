package dev.resiliency.inprocess;

/** What a rank does in an iteration. */
public enum Mode {
    /** Runs the wrapped function. */
    ACTIVE,
    /** Waits as a reserve, to take the place of an active rank that is lost. */
    INACTIVE
}
