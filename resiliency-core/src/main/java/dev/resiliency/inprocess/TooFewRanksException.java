package dev.resiliency.inprocess;

import dev.resiliency.store.IndexSet;
import java.time.Duration;

/**
 * Thrown on every rank when a job has waited for {@link Elasticity#rendezvousTimeout} and fewer ranks than {@link
 * Elasticity#minRanks} could run the function: the job has ended.
 *
 * @since 0.1.0
 */
public final class TooFewRanksException extends ResiliencyException {
    private static final long serialVersionUID = 1L;

    private final int activeRanks;
    private final int minRanks;
    private final transient IndexSet left;
    private final transient IndexSet came;
    private final Duration waited;

    /**
     * Creates an exception whose message names those who were there.
     *
     * @param activeRanks how many of them could have run the function
     * @param minRanks how many were needed
     * @param left the initial ranks that were left of the iteration before; before the first, those that had started
     * @param came the initial ranks of those that wanted to join
     * @param waited how long the job waited for more
     */
    public TooFewRanksException(int activeRanks, int minRanks, IndexSet left, IndexSet came, Duration waited) {
        super(message(activeRanks, minRanks, left, came, waited), null);
        this.activeRanks = activeRanks;
        this.minRanks = minRanks;
        this.left = left;
        this.came = came;
        this.waited = waited;
    }

    private static String message(int activeRanks, int minRanks, IndexSet left, IndexSet came, Duration waited) {
        return "the job has ended with " + activeRanks + " ranks that could run the function, and minRanks is "
                + minRanks
                + ": ranks " + left + " were left, and " + (came.isEmpty() ? "none" : "ranks " + came) + " came within "
                + waited.toMillis() / 1e3 + " s: start more processes, or change minRanks or rendezvousTimeout";
    }

    /** Returns how many ranks could have run the function. */
    public int activeRanks() {
        return activeRanks;
    }

    /** Returns how many ranks were needed. */
    public int minRanks() {
        return minRanks;
    }

    /** Returns the initial ranks that were left of the iteration before; before the first, those that had started. */
    public IndexSet left() {
        return left;
    }

    /** Returns the initial ranks of those that wanted to join. */
    public IndexSet came() {
        return came;
    }

    /** Returns how long the job waited for more ranks. */
    public Duration waited() {
        return waited;
    }
}
