package dev.resiliency.inprocess;

/**
 * Takes a rank out of the job that fails again and again, so that a device or a host that breaks every restart does not
 * break them for ever. The guide's {@code FaultCounter}.
 *
 * @param maxFaults how many faults of its own a rank may have and still go on; {@link State#faults} says what counts
 */
record FaultCounter(int maxFaults) implements HealthCheck {

    /** Checks that the limit is not negative. */
    FaultCounter {
        if (maxFaults < 0) {
            throw new IllegalArgumentException("maxFaults is " + maxFaults + ": it must not be negative");
        }
    }

    /** Throws if this rank has failed more often than it may. */
    @Override
    public void check(State state) {
        if (state.faults() > maxFaults) {
            throw new IllegalStateException("initial rank %d has failed %d times; the limit is %d"
                    .formatted(state.initialRank(), state.faults(), maxFaults));
        }
    }
}
