package dev.resiliency.inprocess;

/**
 * Thrown by a call whose {@linkplain Wrapper.Builder#callNumber number} the caller has given, in a process that came when the
 * other ranks had completed the call, or were about to: the function has not run here, and its result was returned there.
 *
 * @since 0.1.0
 */
public final class JobCompleteException extends ResiliencyException {
    private static final long serialVersionUID = 1L;

    private final String job;
    private final int call;

    /** Creates an exception for a call of a job. */
    public JobCompleteException(String job, int call) {
        super(
                ("call %d of the job %s was completed by its ranks before this process had a part in it: their calls have"
                                + " returned the result")
                        .formatted(call, job),
                null);
        this.job = job;
        this.call = call;
    }

    /** Returns the id of the job. */
    public String job() {
        return job;
    }

    /** Returns the number of the call. */
    public int call() {
        return call;
    }
}
