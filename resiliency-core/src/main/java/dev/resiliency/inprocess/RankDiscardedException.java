package dev.resiliency.inprocess;

/**
 * The rank assignment left this rank out. The guide's {@code RankDiscarded}.
 *
 * @since 0.1.0
 */
public final class RankDiscardedException extends ResiliencyException {
    private static final long serialVersionUID = 1L;

    /**
     * The rank is left out from this iteration on.
     *
     * @param reason what the rank assignment says about it
     */
    public RankDiscardedException(int initialRank, int iteration, String reason) {
        super(
                "initial rank " + initialRank + " is left out by the rank assignment from iteration " + iteration
                        + " on: " + reason,
                null);
    }
}
