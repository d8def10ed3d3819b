package dev.resiliency.inprocess;

/**
 * Thrown when the other ranks have declared this one dead and continue without it: it must not disturb them.
 *
 * @since 0.1.0
 */
public final class RankFencedException extends ResiliencyException {
    private static final long serialVersionUID = 1L;

    /** Creates the exception of a rank that is among the terminated ones. */
    public RankFencedException(int initialRank) {
        super(
                "initial rank " + initialRank
                        + " was declared dead by its job, which continues without it: was this process"
                        + " stopped or cut off for a while?",
                null);
    }
}
