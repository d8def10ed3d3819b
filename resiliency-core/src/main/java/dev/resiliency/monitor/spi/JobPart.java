package dev.resiliency.monitor.spi;

/**
 * What part a process has in a job of wrapped functions, as its latest call of a wrapper has stamped it. An exit code of 0 alone
 * does not say whether a rank has completed.
 *
 * @since 0.1.0
 */
public enum JobPart {
    /** It has called no wrapper, or the call has thrown something else: its exit code says what it has done. */
    NONE,
    /** The call lasts. */
    MEMBER,
    /** The rank has left on purpose before the job has completed. */
    LEFT,
    /** The job has completed. */
    COMPLETED,
    /** The call has thrown that nobody should try again: a RestartAbort, or that too few ranks have come in time. */
    GIVEN_UP
}
