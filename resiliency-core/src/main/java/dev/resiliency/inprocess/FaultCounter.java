package dev.resiliency.inprocess;

/**
 * Removes a rank that fails repeatedly from the job, so that a broken device or host does not keep breaking restarts.
 * Corresponds to nvidia-resiliency-ext's {@code FaultCounter}.
 *
 * @param maxFaults how many faults of its own a rank may have and still continue; {@link State#faults} defines what
 *     counts
 */
record FaultCounter(int maxFaults) implements HealthCheck {

    /** Checks that the limit is not negative. */
    FaultCounter {
        if (maxFaults < 0) {
            throw new IllegalArgumentException("maxFaults is " + maxFaults + ": it must not be negative");
        }
    }

    /** Throws if this rank has failed more often than allowed. */
    @Override
    public void check(State state) {
        if (state.faults() > maxFaults) {
            throw new IllegalStateException("rank %d has failed %d times; the limit is %d"
                    .formatted(state.initialRank(), state.faults(), maxFaults));
        }
    }
}
