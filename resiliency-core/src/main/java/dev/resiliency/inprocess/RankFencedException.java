package dev.resiliency.inprocess;

/**
 * Thrown when a job runs without this process, which must not disturb it: the other ranks have declared this one dead,
 * or do not admit it, because it belongs to another job, another process is the same rank, or the rank has left before.
 *
 * @since 0.1.0
 */
public final class RankFencedException extends ResiliencyException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception of a rank that is among the terminated ones. */
    public RankFencedException(int initialRank) {
        super(
                "rank " + initialRank
                        + " was declared dead by its job, which continues without it: it made no"
                        + " progress, or was suspended or cut off for a while",
                null);
    }

    /** Creates the exception of a rank that its job has not admitted; {@code reason} names the job. */
    public RankFencedException(int initialRank, String reason) {
        super("rank " + initialRank + " has not joined: " + reason, null);
    }
}
