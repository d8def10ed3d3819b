package dev.resiliency.inprocess;

/**
 * Thrown when the rank assignment has left this rank out. Corresponds to nvidia-resiliency-ext's {@code RankDiscarded}.
 *
 * @since 0.1.0
 */
public final class RankDiscardedException extends ResiliencyException {
    private static final long serialVersionUID = 1L;

    /**
     * Creates the exception of a rank that is left out from {@code iteration} on.
     *
     * @param reason the reason that the rank assignment gave
     */
    public RankDiscardedException(int initialRank, int iteration, String reason) {
        super(
                "rank " + initialRank + " is left out by the rank assignment from iteration " + iteration + " on: "
                        + reason,
                null);
    }
}
